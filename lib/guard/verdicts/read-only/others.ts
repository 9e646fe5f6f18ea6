// Programs that are not in the table, and of which more can be said than that.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const reachesHosts = words(`
  apt apt-get aws az brew cargo curl dig docker ftp gcloud gh go helm host kubectl mysql nc ncat npm npx nslookup ping pip
  pip3 pnpm psql redis-cli rsync scp sftp ssh telnet wget yarn
`)

export const changesFiles = words(`
  chmod chown cp dd install kill killall ln mkdir mkfifo mkfs mktemp mv patch pkill rm rmdir shred sync touch truncate unlink
`)
