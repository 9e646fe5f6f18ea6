if a; then b; elif ! c; then d; else e; fi
for f in *.c "$g"; do h; done; for ((i = 0; i < 3; i++)); do j; done
while k | l; do m && n || o; done; until p; do q & done
case $r in s|t*) u;; (v) w;& *) x;;& esac
y() { z; }; function f { (a; b); }; select c in d; do break; done
[[ -f $e && $f =~ g.*h || ! i == j* ]]; ((k += 1 << 2)); coproc { l; }; time -p m
