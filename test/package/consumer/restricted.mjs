// A command in Restricted mode, or why there is none.
import { probeSandbox, run } from 'bashward'

const { available, reason } = await probeSandbox()
const options = { cwd: process.cwd(), sandbox: 'restricted' }
console.log(available ? (await run('echo hi; : > written', options)).output : reason)
