#!/usr/bin/env node
// The program `bashward`.

import { main } from './main.js'

// Not left to the event loop: output that nobody reads any more must not keep a cancelled program alive.
main(process.argv.slice(2)).then((status) => process.exit(status))
