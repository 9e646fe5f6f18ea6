// The virtual machine of a guest: no disk, no network, two serial ports. On the first is the kernel's console, on the
// second what the guest reports.
import { accessSync, constants, readFileSync } from 'node:fs'
import { TABLES } from './reports.mjs'

const PROGRAMS = { amd64: 'qemu-system-x86_64', arm64: 'qemu-system-aarch64' }
const CONSOLES = { amd64: 'ttyS0', arm64: 'ttyAMA0' }
const REPORT_PORTS = { amd64: 'ttyS1', arm64: 'ttyS0' }

const MIB = 1024 * 1024

/** The archive, what is unpacked from it, in a file system that takes no more than half, and room to work. */
const memoryFor = (imageBytes) => Math.max(1024, 768 + Math.ceil((4 * imageBytes) / MIB))

/** Whether this machine can run guests of its own kind without emulating the processor. */
export const hasKvm = (architecture) => {
  if ({ x64: 'amd64', arm64: 'arm64' }[process.arch] !== architecture) return false
  try {
    accessSync('/dev/kvm', constants.R_OK | constants.W_OK)
  } catch {
    return false
  }
  // Some virtual machines have the device, and not what is behind it.
  return architecture === 'arm64' || /\b(vmx|svm)\b/.test(readFileSync('/proc/cpuinfo', 'utf8'))
}

const machine = (architecture, kvm) => {
  if (architecture === 'amd64') return ['-M', 'pc', '-cpu', kvm ? 'host' : 'qemu64']
  return kvm ? ['-M', 'virt,gic-version=host', '-cpu', 'host'] : ['-M', 'virt', '-cpu', 'cortex-a72']
}

const reportPort = (architecture, file) =>
  architecture === 'amd64'
    ? ['-serial', `file:${file}`]
    : ['-chardev', `file,id=report,path=${file}`, '-device', 'pci-serial,chardev=report']

/**
 * @typedef {object} Guest
 * @property {import('./rows.mjs').Row} row
 * @property {number} uid
 * @property {boolean} controls
 * @property {import('./reports.mjs').Table[]} [tables] by default all
 */

/**
 * What the guest reads on the kernel's command line.
 *
 * @param {Guest} guest
 */
export const kernelParameters = ({ row, uid, controls, tables = TABLES }) =>
  [
    `console=${CONSOLES[row.architecture]}`,
    'quiet panic=-1 random.trust_cpu=on no_timer_check',
    // An emulated processor has nothing to be mitigated, and takes long for it. Code that lies at another address in
    // each process is translated anew for each: 1.4 million blocks in 80 seconds, and 0.3 million where it does not.
    'mitigations=off audit=0 norandmaps',
    `bashward.report=${REPORT_PORTS[row.architecture]}`,
    `bashward.uid=${uid}`,
    `bashward.tables=${tables}`,
    ...(controls ? ['bashward.controls=1'] : []),
    ...(row.yama === undefined ? [] : [`bashward.yama=${row.yama}`]),
    ...(row.parameters === undefined ? [] : [row.parameters]),
  ].join(' ')

/**
 * The command that boots a guest. It ends with the guest, and with the process that started it.
 *
 * @param {Guest} guest
 * @param {{ kernel: string, image: string, imageBytes: number, kvm: boolean, console: string, report: string }} with
 *   paths, and whether to use KVM
 */
export const qemuCommand = (guest, { kernel, image, imageBytes, kvm, console, report }) => [
  ...['nice', '-n', '15', 'setpriv', '--pdeathsig', 'KILL'],
  PROGRAMS[guest.row.architecture],
  ...['-accel', kvm ? 'kvm' : 'tcg', ...machine(guest.row.architecture, kvm)],
  ...['-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot', '-nic', 'none'],
  ...['-m', String(memoryFor(imageBytes)), '-smp', '1'],
  ...['-serial', `file:${console}`, ...reportPort(guest.row.architecture, report)],
  ...['-kernel', kernel, '-initrd', image, '-append', kernelParameters(guest)],
]
