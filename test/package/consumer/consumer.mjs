import * as bashward from 'bashward'
import { probe } from './probe.cjs'

console.log(JSON.stringify(await probe(bashward)))
