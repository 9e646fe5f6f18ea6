// What a model may ask the file methods of a sandbox for: names of a project, and where those lead.

/** The first has an answer. */
export const readable = [
  'plain',
  'environ',
  'maps',
  'key',
  'secret',
  'up/secret',
  'descriptors/0',
  'fifo',
  'distant-fifo',
  'up',
  '../.ssh/id_ed25519',
]

/** Where nothing may be written but `made` and `sub/made`. */
export const writable = [
  'made',
  'sub/made',
  'victim',
  'up/victim',
  'up/new',
  'dangling',
  'key',
  'environ',
  '../made',
  'distant-fifo',
]
