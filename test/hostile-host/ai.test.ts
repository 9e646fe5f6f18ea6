// A host that uses `bashward/ai` where a command has planted what it could.
import { testTable } from './tables.js'

testTable('ai')
