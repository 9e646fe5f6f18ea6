// A host that uses `bashward/acp` where a command has planted what it could.
import { testTable } from './tables.js'

testTable('acp')
