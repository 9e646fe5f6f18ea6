// A host that uses `bashward` where a command has planted what it could.
import { testTable } from './tables.js'

testTable('api')
