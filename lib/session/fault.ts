// Why a record of a session's state is not believed.

/** Thrown while a record is read; it never leaves this folder. */
export class RecordFault extends Error {
  override readonly name = 'RecordFault'
}
