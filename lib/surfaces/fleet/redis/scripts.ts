// What has to happen in Redis at once. Those that record an outcome work when its memory is full, too.

import type { Redis } from 'ioredis'
import { crypto } from '../../../base/util/lazy.js'

export interface Script {
  text: string
  sha: string
}

const script = (body: string): Script => {
  const text = `#!lua flags=allow-oom\n${body.trim()}\n`
  return { text, sha: crypto().createHash('sha1').update(text).digest('hex') }
}

/** Milliseconds of Redis's clock. */
const now = `local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000)`

/** @returns what the script returns; Redis may have forgotten it */
export async function runScript(
  redis: Redis,
  { sha, text }: Script,
  keys: readonly string[],
  args: readonly (string | number)[] = [],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args)
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
    return await redis.eval(text, keys.length, ...keys, ...args)
  }
}

/**
 * The binding of a conversation, made if there is none. KEYS: binding. ARGV: worker, 64 random bits, the worker's disk, 1: not
 * if it was given up. Returns worker, epoch, disk.
 *
 * Epochs are Redis's clock with random bits: a Redis that has forgotten everything gives none out twice.
 */
export const bindScript = script(`
local bound = redis.call('HMGET', KEYS[1], 'worker', 'epoch', 'disk')
if bound[1] and bound[1] ~= '' then return {bound[1], bound[2], bound[3] or ''} end
if ARGV[1] == '' or (ARGV[4] == '1' and bound[2]) then return {'', '', ''} end
${now}
local epoch = string.format('%.0f', now) .. '-' .. ARGV[2]
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'worker', ARGV[1], 'epoch', epoch, 'disk', ARGV[3])
return {ARGV[1], epoch, ARGV[3]}`)

/**
 * Notes the disk of a binding that has none. KEYS: binding. ARGV: epoch, disk. Returns the disk that it has; empty: it is
 * another binding.
 */
export const settleScript = script(`
local bound = redis.call('HMGET', KEYS[1], 'epoch', 'disk')
if bound[1] ~= ARGV[1] then return '' end
if bound[2] and bound[2] ~= '' then return bound[2] end
redis.call('HSET', KEYS[1], 'disk', ARGV[2])
return ARGV[2]`)

/**
 * Ends a binding, if it is still this one. KEYS: binding. ARGV: epoch, 64 random bits, milliseconds.
 * What remains for a while tells the old owner that it is none any more.
 */
export const unbindScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
${now}
redis.call('HSET', KEYS[1], 'worker', '', 'epoch', string.format('%.0f', now) .. '-' .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`)

/**
 * What a worker's disk has is told to a Redis that has forgotten it. KEYS: binding. ARGV: worker, epoch, the worker's disk.
 * Returns the worker that has the conversation. A worker may use no command here that changes a binding which is there.
 */
export const holdScript = script(`
if redis.call('HSETNX', KEYS[1], 'worker', ARGV[1]) == 1 then
  redis.call('HSETNX', KEYS[1], 'epoch', ARGV[2])
  redis.call('HSETNX', KEYS[1], 'disk', ARGV[3])
end
return redis.call('HGET', KEYS[1], 'worker')`)

/**
 * How long this Redis has been there, milliseconds: since it was started, or has forgotten everything. KEYS: since.
 * By the first who asks; that one begins at 0.
 */
export const sinceScript = script(`
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or ''
${now}
local since = redis.call('HMGET', KEYS[1], 'run', 'at')
-- Clocks are set back.
if since[1] == run and now >= tonumber(since[2]) then return now - since[2] end
redis.call('HSET', KEYS[1], 'run', run, 'at', now)
return 0`)

/**
 * Keeps the name of a worker. KEYS: node. ARGV: incarnation, what it says of itself, milliseconds, an incarnation that is
 * known to be dead, 1: it may be taken anew. Returns 0 when another process has the name, 2 when it may not be.
 */
export const heartbeatScript = script(`
local held = redis.call('GET', KEYS[1])
if held and held == ARGV[2] then return redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
if held then
  local holder = cjson.decode(held).incarnation
  if holder ~= ARGV[1] and holder ~= ARGV[4] then return 0 end
elseif ARGV[5] ~= '1' then
  return 2
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`)

/**
 * Forgets workers that have not been there for long. KEYS: names, since when which of them are not there. ARGV: milliseconds,
 * how many of the following are there, their names, the names of the others.
 */
export const forgetNodesScript = script(`
${now}
local there = tonumber(ARGV[2])
for i = 3, 2 + there do redis.call('HDEL', KEYS[2], ARGV[i]) end
for i = 3 + there, #ARGV do
  local since = redis.call('HGET', KEYS[2], ARGV[i])
  if not since then
    redis.call('HSET', KEYS[2], ARGV[i], string.format('%.0f', now))
  elseif now - since > tonumber(ARGV[1]) then
    redis.call('SREM', KEYS[1], ARGV[i])
    redis.call('HDEL', KEYS[2], ARGV[i])
  end
end
return 1`)

/** Gives the name of a worker up. KEYS: node. ARGV: incarnation. */
export const resignScript = script(`
local held = redis.call('GET', KEYS[1])
if held and cjson.decode(held).incarnation == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`)

/**
 * A client's sign of life; its streams are there afterwards. KEYS: alive, inbox, output. ARGV: milliseconds, milliseconds
 * of the streams.
 */
export const aliveScript = script(`
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
for i = 2, 3 do
  if redis.call('EXISTS', KEYS[i]) == 0 then redis.call('XADD', KEYS[i], '*', 't', 'n') end
  redis.call('PEXPIRE', KEYS[i], ARGV[2])
end
return 1`)

/**
 * A place for a call of a tenant. KEYS: its leases. ARGV: how many it may have, the name of this one, milliseconds.
 * Returns whether it got one, and Redis's time.
 */
export const admitScript = script(`
${now}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return {0, now} end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1, now}`)

/** Prolongs the leases of a tenant's calls. KEYS: the leases. ARGV: milliseconds, names. */
export const renewScript = script(`
${now}
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1`)

/**
 * The last look before a call starts. KEYS: job, claim, cancel flag. ARGV: sending, notAfter, milliseconds of the claim.
 * A job that Redis has forgotten is not started: its client may have been told so.
 */
export const claimScript = script(`
if redis.call('GET', KEYS[3]) == ARGV[1] then return 'cancelled' end
if redis.call('HGET', KEYS[1], 'name') ~= ARGV[1] then return 'gone' end
${now}
if now > tonumber(ARGV[2]) then return 'late' end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
return 'claimed'`)

/**
 * What has become of a sending and, in the same moment, its end if it has not started. KEYS: job, claim, result, answer, cancel
 * flag, channel, waiting jobs. ARGV: sending, id of the job, milliseconds of the flag, what to do, since when nothing that
 * tells of a start can have expired.
 *
 * What to do: `look` leaves a job that is there alone, `retract` takes it back, `cancel` also ends it if it runs.
 *
 * Returns one of these, with the sending whose job it is:
 * - answered: its answer, or the result of the call, is there
 * - claimed: it runs, or is about to
 * - finished: its job has ended, and nothing is there that tells how
 * - other: the job is that of another sending
 * - queued: of `look` only: it is there, and may start
 * - retracted: it has not started, and will not
 * - taken: a worker has it, and does not start it any more; whether it has done so before is not known
 * - gone: there is no job, and should it come it will not start
 *
 * The flag is what a start looks at, in one step as well: nothing here depends on a clock.
 */
export const retractScript = script(`
local job = redis.call('HMGET', KEYS[1], 'name', 'ats', 'finishedOn')
local name = job[1] or ''
if redis.call('EXISTS', KEYS[4]) == 1 then return {'answered', name} end
if redis.call('HGET', KEYS[3], 'job') == ARGV[2] then return {'answered', name} end
if job[3] then return {'finished', name} end
if redis.call('EXISTS', KEYS[2]) == 1 then
  if ARGV[4] == 'cancel' and name == ARGV[1] then
    redis.call('SET', KEYS[5], ARGV[1], 'PX', ARGV[3])
    redis.call('SPUBLISH', KEYS[6], ARGV[2])
  end
  return {'claimed', name}
end
if job[1] and name ~= ARGV[1] then return {'other', name} end
if job[1] and ARGV[4] == 'look' then return {'queued', name} end
redis.call('SET', KEYS[5], ARGV[1], 'PX', ARGV[3])
redis.call('SPUBLISH', KEYS[6], ARGV[2])
if not job[1] then return {'gone', name} end
if not job[2] then
  if redis.call('LREM', KEYS[7], 1, ARGV[2]) == 1 then redis.call('DEL', KEYS[1]) end
  return {'retracted', name}
end
${now}
return {now < tonumber(ARGV[5]) and 'retracted' or 'taken', name}`)

/**
 * Cancels the job of another sending. KEYS: job, cancel flag, channel. ARGV: id of the job, its sending, milliseconds of the flag.
 */
export const cancelOtherScript = script(`
if redis.call('HGET', KEYS[1], 'name') ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
redis.call('SPUBLISH', KEYS[3], ARGV[1])
return 1`)

/**
 * Removes a job that has ended without telling how, so that its call can be sent again. KEYS: job, completed jobs, failed
 * ones. ARGV: id of the job, its sending.
 */
export const displaceScript = script(`
local job = redis.call('HMGET', KEYS[1], 'name', 'finishedOn')
if job[1] ~= ARGV[2] or not job[2] then return 0 end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return redis.call('DEL', KEYS[1])`)

/** What a call has come to, for everybody who asks. KEYS: result, claim. ARGV: job, text, milliseconds. */
export const finishScript = script(`
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'job', ARGV[1], 'text', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('DEL', KEYS[2])
return 1`)

/** What one sending is answered. KEYS: answer, claim. ARGV: text, milliseconds, sending. The claim may be that of another one. */
export const answerScript = script(`
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if redis.call('GET', KEYS[2]) == ARGV[3] then redis.call('DEL', KEYS[2]) end
return 1`)

/** KEYS: answer, result. Returns the answer, or else the job of the result and its text. */
export const takeScript = script(`
local answer = redis.call('GET', KEYS[1])
if answer then return {'answer', answer} end
local result = redis.call('HMGET', KEYS[2], 'job', 'text')
if result[1] then return {result[1], result[2]} end
return {}`)
