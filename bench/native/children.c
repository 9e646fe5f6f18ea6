// What Node lacks for host/cpu-time.mjs: the CPU time of the children that have ended, and of theirs.
#include <node_api.h>
#include <sys/resource.h>

static napi_value children_cpu_ms(napi_env env, napi_callback_info info) {
  (void)info;
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  const double ms =
      (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
  napi_value result = NULL;
  napi_create_double(env, ms, &result);
  return result;
}

NAPI_MODULE_INIT() {
  napi_value function = NULL;
  napi_create_function(env, "childrenCpuMs", NAPI_AUTO_LENGTH, children_cpu_ms, NULL, &function);
  napi_set_named_property(env, exports, "childrenCpuMs", function);
  return exports;
}
