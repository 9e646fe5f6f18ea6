// What is done with files, as bash does it in a sandbox. Values come by variables, never by the text; the bytes of a file come
// and go by what is descriptor 0 at first: a file without a name.
//
// Variables: `path`; `directory` and `name`, its parts; `take` and `offset` (bytes); `limited`, whether `root_0` to
// `root_N` are the only places, and `count` of them; others with the script that reads them.

const common = `exec 4<&0 </dev/null
PATH=/usr/bin:/bin:$PATH
refuse() { printf 'refused %s\\n' "$1" >&2; exit 1; }
is_inside() {
  [[ -z $limited ]] && return 0
  local index root
  for ((index = 0; index < count; index++)); do
    root=root_$index
    [[ $1/ == "\${!root}"/* ]] && return 0
  done
  return 1
}
`

/**
 * The names of devices are not opened, and neither is one of a pipe, for whose other end bash would wait. What is not there
 * is left to ls, which says why: bash would take /dev/tcp/HOST/PORT for an order to connect.
 *
 * Prints the inode and the size. `whole`: whether a file that has so many bytes, or more, is refused.
 */
export const read = `${common}
if [[ ! -f $path ]]; then
  command ls -ldL -- "$path" >/dev/null || exit 1
  [[ -d $path ]] || refuse EINVAL
  [[ -z $limited ]] || { cd -P -- "$path" && is_inside "$PWD" || refuse EXDEV; }
  refuse EISDIR
fi
exec 3<"$path" || exit 1
[[ -f /dev/fd/3 ]] || refuse EINVAL
if [[ -n $limited ]]; then
  real=$(command readlink /dev/fd/3; printf x)
  is_inside "\${real%?x}" || refuse EXDEV
fi
set -- $(command ls -ldLni /dev/fd/3)
printf '%s %s' "$1" "$6"
[[ -z $whole || $6 -lt $take ]] || refuse EFBIG
if ((offset > 0)); then
  command dd bs=1048576 skip=$((offset / 1048576)) count=$((take / 1048576)) >&4 <&3 2>/dev/null
else
  command head -c "$take" >&4 <&3
fi`

/** Gives type and name of each entry, each ended by a NUL. */
export const list = `${common}
cd -P -- "$path" && exec 3<. || exit 1
is_inside "$PWD" || refuse EXDEV
shopt -s dotglob nullglob
GLOBSORT=nosort
for each in *; do
  if [[ -L ./$each ]]; then type=l; elif [[ -d ./$each ]]; then type=d; elif [[ -f ./$each ]]; then type=f; else type=o; fi
  printf '%s%s\\0' "$type" "$each"
done | command head -c "$take" >&4`

/** Prints what ls does: the path may have any characters, but comes last. */
export const look = `${common}
command ls -ldLn -- "$path" || exit 1
[[ -z $limited ]] && exit
real=$(command readlink -f -- "$path"; printf x)
is_inside "\${real%?x}" || refuse EXDEV`

/** Goes to `directory`, which is made with those above it where `make` is not empty. */
const enter = `${common}
up=$directory rest=
while [[ -n $make && -n $up && ! -e $up && ! -L $up ]]; do
  rest=/\${up##*/}$rest
  up=\${up%/*}
done
cd -P -- "$up/" || exit 1
is_inside "$PWD" || refuse EROFS
while [[ -n $rest ]]; do
  rest=\${rest#/}
  step=\${rest%%/*}
  rest=\${rest#"$step"}
  command mkdir -p -- "./$step" && cd -P -- "./$step" || exit 1
  is_inside "$PWD" || refuse EROFS
done
`

/** `is_new`: whether there must be none. `mode`: of the file, whatever the umask; empty: it keeps its own. */
export const write = `${enter}
if [[ -e ./$name ]]; then
  [[ -d ./$name ]] && refuse EISDIR
  [[ -f ./$name ]] || refuse EINVAL
  [[ -z $is_new ]] || refuse EEXIST
  if [[ -n $limited ]]; then
    real=$(command readlink -f -- "./$name"; printf x)
    is_inside "\${real%?x}" || refuse EROFS
  fi
  # What has been opened is judged before it is made empty: without a sandbox nothing else would be in the way of a link.
  exec 3>>"./$name" || exit 1
else
  # A link to nothing is followed where paths are not limited.
  [[ -z $limited$is_new ]] || set -C
  exec 3>"./$name" || exit 1
  set +C
fi
[[ -f /dev/fd/3 ]] || refuse EINVAL
if [[ -n $limited ]]; then
  real=$(command readlink /dev/fd/3; printf x)
  is_inside "\${real%?x}" || refuse EROFS
fi
: >/dev/fd/3 && command cat <&4 >&3 || exit 1
[[ -z $mode ]] || command chmod -- "$mode" /dev/fd/3`

/** `mode`: of the directory; empty: it keeps its own. */
export const makeDirectory = `${enter}
[[ -z $mode ]] || command chmod -- "$mode" .`

export const remove = `${enter}
command rm -- "./$name"`
