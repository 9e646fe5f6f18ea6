// A host that uses `bashward/openai` where a command has planted what it could.
import { testTable } from './tables.js'

testTable('openai')
