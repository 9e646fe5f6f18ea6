// The scenarios of host/scenarios.cjs, for the table and its legend.

/**
 * `whole`: starting it is tried with every fault. The others start like `plain`, and get only the faults of what they do
 * beyond that. `signals`: what is sent to the supervisor at each of its calls.
 */
export const scenarios = [
  { name: 'plain', title: 'a command that prints and fails', whole: true, signals: ['SIGKILL'] },
  { name: 'cold', title: 'the first command of a process, which starts the engine', whole: true },
  { name: 'streams', title: 'separate streams', whole: false },
  { name: 'flood', title: 'three megabytes of output', whole: false },
  { name: 'saved', title: 'the same with `saveOutput`', whole: false },
  { name: 'long', title: 'a command of 140,000 bytes', whole: false },
  { name: 'timeout', title: 'a timeout', whole: false, signals: ['SIGKILL'] },
  { name: 'patient', title: 'a command that ends before its timeout', whole: false, signals: ['SIGSTOP'] },
  { name: 'cancelled', title: 'a cancel, with a daemon and SIGTERM ignored', whole: false },
  { name: 'daemons', title: "a daemon with `survivors: 'kill'`", whole: false },
  { name: 'session', title: 'a call of a session', whole: true, signals: ['SIGKILL'] },
  { name: 'background', title: 'a background job', whole: true, signals: ['SIGKILL'] },
  {
    name: 'adopted',
    title: 'a command that leaves a child, which becomes a job',
    whole: false,
    signals: ['SIGKILL'],
  },
  {
    name: 'handedOver',
    title: 'a command that takes longer, and becomes a job',
    whole: false,
    signals: ['SIGKILL'],
  },
  { name: 'killed', title: 'a background job that is killed', whole: false },
  {
    name: 'restricted',
    title: 'Restricted mode with a scratch directory',
    whole: true,
    signals: ['SIGKILL'],
  },
  { name: 'marked', title: 'a call with a durable ledger', whole: false, signals: ['SIGKILL'] },
  // No writable directory: what answers for those cannot, where the shim answers all calls.
  { name: 'unreadable', title: 'a policy with an unreadable path', whole: false },
]
