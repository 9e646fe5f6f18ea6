// Directories that are somebody's, or the system's, on any machine: those whose loss nothing makes good.

import { isPattern, matches, unescapePattern } from '../glob.js'

const names = (text: string): readonly string[] => text.trim().split(/\s+/)

/**
 * Below the root: without them nothing runs, or other people's data is gone. What is in the others is gone with them;
 * with other directories in the same place it is a package that can be had again.
 */
const inSystem: Readonly<Record<string, readonly string[]>> = {
  '': names(`
    Applications Library System Users bin boot dev etc home lib lib32 lib64 libx32 media mnt nix opt proc
    root run sbin srv sys usr var
  `),
  boot: names('efi grub grub2 loader'),
  etc: names(`
    NetworkManager alternatives apt cron.d cron.daily default docker init.d kubernetes ld.so.conf.d letsencrypt
    netplan network pam.d pki profile.d rc.d security selinux skel ssh ssl sudoers.d sysconfig systemd udev
    wireguard
  `),
  lib: names('firmware modules systemd udev aarch64-linux-gnu x86_64-linux-gnu'),
  nix: names('store var'),
  usr: names('bin include lib lib32 lib64 libexec local sbin share'),
  var: names('backups db lib log mail opt run spool www'),
  'usr/lib': names('firmware modules systemd udev aarch64-linux-gnu x86_64-linux-gnu'),
  'usr/local': names('bin etc include lib lib64 libexec sbin share'),
  'var/lib': names(`
    containerd docker dpkg etcd kubelet libvirt mongodb mysql pacman pgsql postgresql redis rpm systemd
  `),
  'var/spool': names('cron mail'),
}

/** In a home directory: keys and logins, settings, histories, and what people keep. */
const inHome: Readonly<Record<string, readonly string[]>> = {
  '': names(`
    .aws .azure .bash_history .bash_profile .bashrc .claude .codex .config .docker .gcloud .git-credentials .gitconfig
    .gnupg .kube .local .mozilla .netrc .password-store .pgpass .pki .profile .ssh .thunderbird .vault .zsh_history
    .zshrc Desktop Documents Library Music Pictures Videos
  `),
  '.config': names('gcloud gh op rclone sops'),
  '.local': names('share state'),
  '.local/share': names('keyrings'),
}

/** Directories whose contents are made again: they may go, unlike the directories. */
const renewed = new Set(['var/log', 'var/run', 'run'])

/** How deep below the root, and below a home directory, the lists go. */
export const systemDepth = 3
export const homeDepth = 3

/**
 * Whether it is a directory of the system that has to stay.
 *
 * @param path components from the root, as patterns
 * @param contents whether it is about what is in it
 */
export function isSystemDirectory(path: readonly string[], contents: boolean): boolean {
  if (contents && renewed.has(path.map(unescapePattern).join('/'))) return false
  return isListed(path, inSystem)
}

/** @param path components below a home directory, as patterns */
export function isKeptInHome(path: readonly string[]): boolean {
  return isListed(path, inHome)
}

function isListed(path: readonly string[], lists: Readonly<Record<string, readonly string[]>>): boolean {
  const last = path.at(-1)
  const parent = path.slice(0, -1).map(unescapePattern).join('/')
  return last !== undefined && Object.hasOwn(lists, parent) && includes(lists[parent] ?? [], last)
}

function includes(list: readonly string[], pattern: string): boolean {
  if (!isPattern(pattern)) return list.includes(unescapePattern(pattern))
  return list.some((name) => matches(pattern, name))
}
