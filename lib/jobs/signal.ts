// The engine's way to signal a process that may have ended and whose pid may have come to mean another one.

import { currentEngine } from '../engine/choose.js'
import type { SignalProcess } from './kill.js'

export const signalProcess: SignalProcess = (pid, startTime, signal) =>
  currentEngine().signalProcess(pid, startTime, signal)
