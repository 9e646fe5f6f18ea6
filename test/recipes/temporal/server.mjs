// As much of a Temporal server as one workflow needs, with the real protocol: a worker cannot tell. An activity whose
// heartbeats stay away is sent again, as a server would.
import {
  cut,
  enums,
  grpc,
  methodNames,
  methodOf,
  milliseconds,
  notFound,
  payloads,
  timestamp,
  unimplemented,
  valueOfPayloads,
} from './protocol.mjs'
import { Queue } from './queue.mjs'

const { CommandType, EventType, RetryState, TimeoutType } = enums
const retryMs = 300
const namespace = 'default'
export class ScriptedServer {
  /** Of all activities: `{ type, id, attempt, how }`, in the order of their ends. */
  ends = []
  heartbeats = 0
  /** Attempts of activities. */
  sent = 0
  /** Whether nothing arrives of what activities `bash` tell. */
  isCut = false
  /** How many activities are sent; the others wait for `release()`. */
  #limit = Infinity
  #held = []
  #queues = new Map()
  #history = []
  #activities = new Map()
  #isTaskOpen = false
  #execution
  #done
  #server = new grpc.Server()

  async listen() {
    const definition = methodNames.map((name) => [name, methodOf(name)])
    const handlers = methodNames.map((name) => [name, (call, answer) => this.#answer(name, call, answer)])
    this.#server.addService(Object.fromEntries(definition), Object.fromEntries(handlers))
    const credentials = grpc.ServerCredentials.createInsecure()
    const port = await new Promise((resolve, reject) => {
      this.#server.bindAsync('127.0.0.1:0', credentials, (error, bound) =>
        error ? reject(error) : resolve(bound),
      )
    })
    return `127.0.0.1:${port}`
  }

  close() {
    this.#server.forceShutdown()
  }

  /** Starts the one workflow; resolves with what it returns. */
  start(type, args, workflowId) {
    this.#execution = { workflowId, runId: '0f5e3a52-0000-4000-8000-000000000001' }
    this.#event('WORKFLOW_EXECUTION_STARTED', {
      workflowType: { name: type },
      taskQueue: { name: 'agents' },
      input: payloads(args),
      originalExecutionRunId: this.#execution.runId,
      firstExecutionRunId: this.#execution.runId,
      workflowTaskTimeout: { seconds: 10 },
      attempt: 1,
    })
    this.#scheduleWorkflowTask()
    return new Promise((resolve, reject) => {
      this.#done = { resolve, reject }
    })
  }

  hold(limit) {
    this.#limit = limit
  }

  release() {
    this.#limit = Infinity
    for (const activity of this.#held.splice(0)) this.#send(activity)
  }

  /** As if an hour had passed for what no worker has fetched. */
  expire() {
    for (const activity of this.#activities.values()) {
      const allowedMs = milliseconds(activity.asked.scheduleToStartTimeout)
      if (!activity.isStarted && allowedMs > 0 && allowedMs < 3_600_000) {
        this.#timeOut(activity, 'SCHEDULE_TO_START')
      }
    }
  }

  cancel() {
    this.#event('WORKFLOW_EXECUTION_CANCEL_REQUESTED', {})
    this.#scheduleWorkflowTask()
  }

  async #answer(name, call, answer) {
    try {
      const handler = this[`_${name}`]
      if (handler === undefined) throw unimplemented(name)
      answer(null, (await handler.call(this, call.request, call)) ?? {})
    } catch ({ code = grpc.status.INTERNAL, message }) {
      answer({ code, details: message })
    }
  }

  #queue(name) {
    if (!this.#queues.has(name)) this.#queues.set(name, new Queue())
    return this.#queues.get(name)
  }

  #event(name, attributes) {
    const eventId = this.#history.length + 1
    const field = name.toLowerCase().replace(/_(.)/g, (_, letter) => letter.toUpperCase())
    const eventType = EventType[`EVENT_TYPE_${name}`]
    this.#history.push({
      eventId,
      eventTime: timestamp(),
      eventType,
      [`${field}EventAttributes`]: attributes,
    })
    return eventId
  }

  #scheduleWorkflowTask() {
    if (this.#isTaskOpen) return
    this.#isTaskOpen = true
    this.#event('WORKFLOW_TASK_SCHEDULED', { taskQueue: { name: 'agents' }, attempt: 1 })
    this.#queue('workflows agents').push({})
  }

  _GetSystemInfo() {
    return { serverVersion: '1.29.0', capabilities: { activityFailureIncludeHeartbeat: true } }
  }

  _DescribeNamespace() {
    return { namespaceInfo: { name: namespace } }
  }

  _ShutdownWorker() {}

  async _PollWorkflowTaskQueue({ taskQueue }, call) {
    const task = await this.#queue(`workflows ${taskQueue.name}`).next(call)
    if (task === undefined) return {}
    const scheduledEventId = this.#history.length
    const startedEventId = this.#event('WORKFLOW_TASK_STARTED', { scheduledEventId })
    this.#isTaskOpen = false
    return {
      taskToken: Buffer.from(`${startedEventId}`),
      workflowExecution: this.#execution,
      workflowType: { name: 'agent' },
      startedEventId,
      attempt: 1,
      history: { events: this.#history },
      workflowExecutionTaskQueue: { name: 'agents' },
      scheduledTime: timestamp(),
      startedTime: timestamp(),
    }
  }

  _RespondWorkflowTaskCompleted({ taskToken, commands }) {
    const startedEventId = Number(Buffer.from(taskToken))
    const completed = this.#event('WORKFLOW_TASK_COMPLETED', {
      scheduledEventId: startedEventId - 1,
      startedEventId,
    })
    for (const command of commands) this.#carryOut(command, completed)
  }

  _RespondWorkflowTaskFailed({ failure }) {
    this.#done.reject(new Error(`workflow task failed: ${failure?.message}`))
  }

  #carryOut(command, workflowTaskCompletedEventId) {
    const type = CommandType[command.commandType].replace('COMMAND_TYPE_', '')
    if (type === 'SCHEDULE_ACTIVITY_TASK') {
      const asked = command.scheduleActivityTaskCommandAttributes
      const scheduledEventId = this.#event('ACTIVITY_TASK_SCHEDULED', {
        ...asked,
        workflowTaskCompletedEventId,
      })
      const activity = { asked, scheduledEventId, attempt: 0, cancelRequested: false }
      this.#activities.set(scheduledEventId, activity)
      if (this.sent < this.#limit) this.#send(activity)
      else this.#held.push(activity)
    } else if (type === 'REQUEST_CANCEL_ACTIVITY_TASK') {
      const { scheduledEventId } = command.requestCancelActivityTaskCommandAttributes
      this.#event('ACTIVITY_TASK_CANCEL_REQUESTED', { scheduledEventId, workflowTaskCompletedEventId })
      const activity = this.#activities.get(Number(scheduledEventId))
      if (activity !== undefined) activity.cancelRequested = true
    } else if (type === 'COMPLETE_WORKFLOW_EXECUTION') {
      this.#done.resolve(valueOfPayloads(command.completeWorkflowExecutionCommandAttributes.result))
    } else if (type === 'CANCEL_WORKFLOW_EXECUTION') {
      this.#done.resolve('cancelled')
    } else {
      this.#done.reject(new Error(`the workflow asked for ${type}: ${JSON.stringify(command)}`))
    }
  }

  /** Once more, or for the first time. */
  #send(activity) {
    activity.attempt += 1
    activity.isStarted = false
    this.sent += 1
    activity.token = `${activity.scheduledEventId} ${activity.attempt}`
    this.#queue(`activities ${activity.asked.taskQueue.name}`).push(activity)
  }

  #watch(activity, ms, act) {
    clearTimeout(activity.timer)
    if (ms > 0) activity.timer = setTimeout(act, ms)
  }

  async _PollActivityTaskQueue({ taskQueue }, call) {
    const activity = await this.#queue(`activities ${taskQueue.name}`).next(call)
    if (activity === undefined || !this.#activities.has(activity.scheduledEventId)) return {}
    const { asked, attempt, token } = activity
    activity.isStarted = true
    this.#awaitHeartbeat(activity)
    return {
      taskToken: Buffer.from(token),
      workflowNamespace: namespace,
      workflowType: { name: 'agent' },
      workflowExecution: this.#execution,
      activityType: asked.activityType,
      activityId: asked.activityId,
      input: asked.input,
      attempt,
      scheduledTime: timestamp(),
      startedTime: timestamp(),
      currentAttemptScheduledTime: timestamp(),
      startToCloseTimeout: asked.startToCloseTimeout,
      scheduleToCloseTimeout: { seconds: 3600 },
      heartbeatTimeout: asked.heartbeatTimeout,
    }
  }

  #awaitHeartbeat(activity) {
    this.#watch(activity, milliseconds(activity.asked.heartbeatTimeout), () => this.#send(activity))
  }

  #activityOf({ taskToken }) {
    const token = Buffer.from(taskToken).toString()
    const activity = this.#activities.get(Number(token.split(' ')[0]))
    if (this.isCut && activity?.asked.activityType.name === 'bash') throw cut()
    if (activity?.token !== token) throw notFound()
    return activity
  }

  _RecordActivityTaskHeartbeat(request) {
    const activity = this.#activityOf(request)
    this.heartbeats += 1
    this.#awaitHeartbeat(activity)
    return { cancelRequested: activity.cancelRequested }
  }

  _RespondActivityTaskCompleted(request) {
    this.#end(this.#activityOf(request), 'COMPLETED', { result: request.result })
  }

  _RespondActivityTaskFailed(request) {
    const activity = this.#activityOf(request)
    const { failure } = request
    if (failure.applicationFailureInfo?.nonRetryable !== true) {
      return this.#watch(activity, retryMs, () => this.#send(activity))
    }
    const retryState = RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE
    this.#end(activity, 'FAILED', { failure, retryState })
  }

  _RespondActivityTaskCanceled(request) {
    this.#end(this.#activityOf(request), 'CANCELED', { details: request.details })
  }

  #timeOut(activity, kind) {
    const timeoutType = TimeoutType[`TIMEOUT_TYPE_${kind}`]
    const failure = { message: `activity ${kind} timeout`, timeoutFailureInfo: { timeoutType } }
    this.#end(activity, 'TIMED_OUT', { failure, retryState: RetryState.RETRY_STATE_TIMEOUT })
  }

  #end(activity, how, attributes) {
    const { scheduledEventId, asked, attempt } = activity
    clearTimeout(activity.timer)
    this.#activities.delete(scheduledEventId)
    this.ends.push({ type: asked.activityType.name, id: asked.activityId, attempt, how })
    const startedEventId =
      how === 'TIMED_OUT' ? 0 : this.#event('ACTIVITY_TASK_STARTED', { scheduledEventId, attempt })
    this.#event(`ACTIVITY_TASK_${how}`, { scheduledEventId, startedEventId, ...attributes })
    this.#scheduleWorkflowTask()
  }
}
