cd /srv/app && git add -A && git commit -m "fix: the thing" && git push
sudo -u root env A=b timeout 5 nice -n 3 make -j8 2>&1 | tee log | grep -v 'c d' | xargs -0 -n1 echo
find . -name '*.o' -exec echo {} \; ; bash -c 'echo "$1"' -- x; eval "f $(g)"; trap 'h' EXIT; export I=j; declare -a K
