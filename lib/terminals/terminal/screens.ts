// What draws screens, and the emulator with it: loaded when the first screen is needed.

export { LiveScreen } from './live-screen.js'
export { planSteps, replayScreen } from './replay.js'
