#include "sandbox/kernel_mounts.h"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>

namespace bashward::sandbox {
namespace {

constexpr std::string_view kTypes[] = {
    // Processes, devices and settings.
    "proc", "sysfs", "devtmpfs", "devpts", "devfs", "configfs", "efivarfs", "mqueue", "binder",
    // Groups of processes.
    "cgroup", "cgroup2", "cpuset", "resctrl",
    // Namespaces and processes as files: writing is not the point, opening them is.
    "nsfs", "pidfs",
    // Tracing and debugging.
    "debugfs", "tracefs", "bpf", "oprofilefs", "pstore",
    // Security modules.
    "securityfs", "selinuxfs", "smackfs", "apparmorfs",
    // What a service in user space asks of the kernel, or is asked.
    "fusectl", "binfmt_misc", "rpc_pipefs", "nfsd", "functionfs", "gadgetfs", "dlmfs", "ocfs2_dlmfs",
    // Hardware and hypervisors.
    "xenfs", "s390_hypfs", "spufs", "ibmasmfs", "openpromfs", "usbfs", "usbdevfs"};

// A container's /dev is a tmpfs. 0 when /dev is a directory of the root file system.
uint64_t DeviceOfDev() {
  struct stat root{};
  struct stat devices{};
  if (stat("/", &root) != 0 || stat("/dev", &devices) != 0) return 0;
  return devices.st_dev == root.st_dev ? 0 : devices.st_dev;
}

}  // namespace

bool IsOfKernel(std::string_view type) {
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

const Mount* KernelMountIn(const MountList& mounts, std::string_view root) {
  const uint64_t devices = DeviceOfDev();
  const auto is_refused = [devices](const Mount& mount) {
    return IsOfKernel(mount.type) || (devices != 0 && mount.device == devices);
  };
  const Mount* own = mounts.Of(root);
  if (own != nullptr && is_refused(*own)) return own;
  for (const Mount& mount : mounts.all()) {
    if (IsAtOrBelow(mount.point, root) && is_refused(mount)) return &mount;
  }
  return nullptr;
}

bool OpensDevices(const MountList& mounts, std::string_view root) {
  const Mount* own = mounts.Of(root);
  return own == nullptr || own->opens_devices ||
         std::any_of(mounts.all().begin(), mounts.all().end(), [root](const Mount& mount) {
           return mount.opens_devices && IsAtOrBelow(mount.point, root);
         });
}

}  // namespace bashward::sandbox
