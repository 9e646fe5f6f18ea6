// The native way to signal a process that may have ended and whose pid may have come to mean another one.

import { nativeEngine } from '../native/engine.js'
import type { SignalProcess } from './kill.js'

export const signalProcess: SignalProcess = (pid, startTime, signal) =>
  nativeEngine().signalProcess(pid, startTime, signal)
