# The node-gyp build, from the same source list as CMakeLists.txt.
{
  "target_defaults": {
    "defines": ["_GNU_SOURCE"],
    "cflags": ["-iquote", "<(module_root_dir)/native", "-Wall", "-Wextra", "-ffunction-sections", "-fdata-sections"],
    "cflags_cc!": ["-std=gnu++17", "-std=gnu++20"],
    "cflags_cc": ["-std=c++17", "-fvisibility=hidden", "-fno-rtti", "-fno-exceptions"]
  },
  "targets": [
    {
      "target_name": "bashward",
      "dependencies": ["bashward-grammar"],
      "sources": ["<!@(sed -n -E 's/^(base|engine|syntax|addon) //p' native/sources.txt)"],
      "include_dirs": [
        "<!(node -p \"require('node-addon-api').include_dir\")",
        "node_modules/tree-sitter/vendor/tree-sitter/lib/include"
      ],
      "defines": ["NAPI_VERSION=8", "NODE_ADDON_API_DISABLE_CPP_EXCEPTIONS", "NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS"],
      "ldflags": [
        "-static-libgcc", "-static-libstdc++", "-Wl,--gc-sections", "-Wl,-z,nodelete",
        "-Wl,--version-script=<(module_root_dir)/native/exports.map"
      ]
    },
    {
      "target_name": "bashward-grammar",
      "type": "static_library",
      "sources": ["<!@(sed -n 's/^grammar //p' native/sources.txt)"],
      "include_dirs": [
        "node_modules",
        "node_modules/tree-sitter/vendor/tree-sitter/lib/include",
        "node_modules/tree-sitter/vendor/tree-sitter/lib/src"
      ],
      "cflags_c": ["-std=c11", "-fvisibility=hidden", "-w"]
    },
    {
      "target_name": "bashward-supervisor",
      "type": "executable",
      "sources": ["<!@(sed -n -E 's/^(base|supervisor|freestanding) //p' native/sources.txt)"],
      "cflags!": ["-fPIC", "-pthread"],
      "cflags_cc": [
        "-fno-pie", "-fno-threadsafe-statics", "-fno-asynchronous-unwind-tables", "-fno-stack-protector",
        "-fno-builtin", "-fno-tree-loop-distribute-patterns"
      ],
      "conditions": [["target_arch=='arm64'", { "cflags_cc": ["-mno-outline-atomics"] }]],
      "ldflags!": ["-pthread", "-rdynamic"],
      "ldflags": ["-static", "-no-pie", "-nostdlib", "-Wl,--gc-sections", "-Wl,--build-id=none"]
    }
  ]
}
