# A command that writes to the package of the host that has started it: $HOW is overwrite, truncate or replace, $PACKAGE where,
# and $MARKS the file that the new code writes to.
cd "$PACKAGE" || exit
write() {
  case $HOW in
    overwrite) /usr/bin/dd "of=$1" conv=notrunc status=none ;;
    truncate) : >"$1" ;;
    replace) /bin/rm -f "$1" && /bin/cat >"$1" && /bin/chmod 755 "$1" ;;
  esac 2>/dev/null
}
shopt -s globstar nullglob
for file in dist/**/*.js ../{node-gyp-build,re2js,unbash}/**/*.{js,cjs}; do write "$file" <<<"require('node:fs').appendFileSync('$MARKS', '$file\\n') //"; done
for file in dist/**/*.mjs; do write "$file" <<<"import { appendFileSync } from 'node:fs'; appendFileSync('$MARKS', '$file\\n') //"; done
for file in build/Release/*; do
  case $file in
    # Where the processor comes to one of these bytes, it stops the host.
    *.node) /usr/bin/head -c "$(/usr/bin/stat -c %s "$file")" /dev/zero | /usr/bin/tr '\0' '\314' | write "$file" ;;
    *) write "$file" <<<$'#!/bin/sh\n'"echo supervisor >>'$MARKS'; exit" ;;
  esac
done
echo rewritten
