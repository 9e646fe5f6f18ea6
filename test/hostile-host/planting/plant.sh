# What an agent's command has left in its project, with the rights of Workspace mode: programs, settings, links, FIFOs.
# $HOME_DIR is the person's home, $OUTSIDE what nobody may change, and $PROGRAM the text of a planted program.
set -eu
names='bash sh dash zsh node npm npx env git gpg ssh tar ps getent uname ldd sudo setpriv stty tput infocmp tic mkfifo mknod
  mktemp cat ls rm cp mv ln mkdir rmdir touch chmod chown stat find grep sed awk head tail sleep kill id whoami hostname sysctl
  which readlink realpath python3 cc make script timeout nice unshare strace true false bashward bashward-supervisor'

mkdir -p bin node_modules/.bin tmp dotfiles .git/hooks sub/node_modules/.bin
for directory in bin node_modules/.bin sub sub/node_modules/.bin .git/hooks; do
  for name in $names pre-commit post-checkout; do
    printf '%s\n' "$PROGRAM" >"$directory/$name"
    chmod 755 "$directory/$name"
  done
done

# What programs read as settings.
mark="echo \"\$0 start-up file\" >>'$OUTSIDE/marks'"
for name in bashrc profile bash_profile bash_login bash_logout bash_env inputrc; do echo "$mark" >"dotfiles/$name"; done
printf '[core]\n\tfsmonitor = %s\n\thooksPath = %s\n\tpager = %s\n' "$PWD/bin/git" "$PWD/bin" "$PWD/bin/cat" |
  tee dotfiles/gitconfig >.git/config
echo 'ref: refs/heads/main' >.git/HEAD
mkdir -p .git/objects .git/refs
printf 'script-shell=%s\nnode-options=--require=%s\n' "$PWD/bin/bash" "$PWD/planted.cjs" >.npmrc
echo "require('fs').appendFileSync('$OUTSIDE/marks', 'planted.cjs\n')" | tee planted.cjs sitecustomize.py >index.js
echo '{"name":"project","type":"module","scripts":{"agent":"node ../app/host.mjs"}}' >package.json
printf 'all:\n\t%s/bin/bash -c true\n' "$PWD" >Makefile
echo 'API_TOKEN=of-the-project' >.env
echo "$mark" >.envrc

# What a host may open for a model by a name in the project.
echo 'plain text' >plain
ln -s /proc/self/environ environ
ln -s /proc/self/fd descriptors
ln -s /proc/self/maps maps
ln -s "$HOME_DIR/.ssh/id_ed25519" key
ln -s "$OUTSIDE/secret" secret
ln -s "$OUTSIDE/victim" victim
ln -s "$OUTSIDE/new" dangling
ln -s "$OUTSIDE" up
ln -s "$OUTSIDE/fifo" distant-fifo
ln -s /dev/zero zero
/usr/bin/mkfifo fifo tmp/fifo
for name in bashward bashward-run bashward-probe bashward-exchange bashward-scratch; do ln -s "$OUTSIDE" "tmp/$name"; done
