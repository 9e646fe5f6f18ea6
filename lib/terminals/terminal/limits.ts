// What a screen may take.

/** Milliseconds of computing for one screen. */
export const maxDrawMs = 250
/** Output that is drawn for one screen, in bytes. */
export const maxReplayBytes = 4 * 1024 * 1024
