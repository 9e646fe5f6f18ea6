// A host that uses `bashward/anthropic` where a command has planted what it could.
import { testTable } from './tables.js'

testTable('anthropic')
