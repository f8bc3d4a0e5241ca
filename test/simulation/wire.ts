import { PassThrough } from 'node:stream'
import type { HttpOutcome, HttpRequest, HttpStream, NoAnswer } from '../../main/adapters/http/exchange.ts'
import type { Transport as KubernetesTransport } from '../../main/adapters/kubernetes/transport.ts'
import type { Transport as OpenStackTransport } from '../../main/adapters/openstack/transport.ts'
import type { JujuPort } from '../../main/ports/juju.ts'
import { answerHeaders } from '../../main/wings/simulators/kubernetes/transport/api-front.ts'
import { messagesOf, runInPod } from '../../main/wings/simulators/kubernetes/transport/exec-stream.ts'
import { streamWatch, type WatchSink } from '../../main/wings/simulators/kubernetes/transport/watch-stream.ts'
import type { Cloud } from './cloud.ts'
import type { Dice } from './dice.ts'
import { createWireMemory, type FaultPlan, type MessageFault, reportLie } from './faults.ts'
import type { Judge } from './judge.ts'
import { createSimulatedJuju } from './juju.ts'
import type { Machine } from './machine.ts'
import type { Timeline } from './timeline.ts'

/** One message as it reached a server, tagged with who sent it. */
export interface Arrival {
  readonly atMs: number
  readonly sentAtMs: number
  readonly from: string
  readonly api: 'kubernetes' | 'openstack' | 'juju'
  readonly method: string
  readonly target: string
  readonly body: string
  /** What the server answered; 0: nothing. */
  readonly status: number
  /** A copy that something on the way made. */
  readonly copy: boolean
}

/** The wires of one process: both clouds are at their other end. */
export interface Wires {
  readonly kubernetes: KubernetesTransport
  readonly openstack: OpenStackTransport
  /** Null: the cloud has none. */
  readonly juju: JujuPort | null
}

/** The address of everything in the simulation. */
export const HOST = 'cloud.sim'

/** What wires are made of. */
interface WireParts {
  readonly timeline: Timeline
  readonly machine: Machine
  /** Tags every message. */
  readonly from: string
  readonly cloud: Cloud
  readonly faults: FaultPlan
  readonly dice: Dice
  /** The shortest and the longest way of an undisturbed message, one way. */
  readonly latencyMs: readonly [number, number]
  /** False: the process is dead; nothing it sent is answered any more. */
  readonly isAlive: () => boolean
  readonly judge: Pick<Judge, 'reaching' | 'arrived' | 'received'>
  readonly onMessage: () => void
  /** A server answered a message. */
  readonly onServed?: (method: string, target: string, status: number) => void
  readonly trace: (line: string) => void
}

interface Call {
  readonly api: Arrival['api']
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

type Outcome = Answer | 'reset before' | 'reset after'

/** Makes the wires of one process. */
export function createWires(parts: WireParts): Wires {
  const { timeline, machine, cloud, faults, dice, from, isAlive, trace } = parts
  const memory = createWireMemory()

  const latency = () => dice.between(...parts.latencyMs)

  /** Back at the sender, when it is awake; a dead one hears nothing. */
  const back = (afterMs: number, run: () => void) => {
    timeline.at(timeline.now() + afterMs, () =>
      machine.whenAwake(() => {
        if (isAlive()) run()
      }),
    )
  }

  async function serve(call: Call, sentAtMs: number, copy: boolean): Promise<Answer | null> {
    parts.onMessage()
    const reached = parts.judge.reaching(from, call.api, call.method, call.target, call.body)
    const arrived = (status: number) => {
      parts.judge.arrived({ ...call, from, atMs: timeline.now(), sentAtMs, status, copy }, reached)
      parts.onServed?.(call.method, call.target, status)
    }
    const date = new Date(timeline.now()).toUTCString()
    if (call.api === 'kubernetes') {
      const served = await cloud.kubernetesFront.serve({
        method: call.method,
        target: call.target,
        accept: call.headers.Accept ?? '',
        contentType: call.headers['Content-Type'] ?? '',
        userAgent: call.headers['User-Agent'] ?? '',
        body: Buffer.from(call.body),
        user: cloud.user,
      })
      if (served.kind !== 'whole') {
        arrived(0)
        return null
      }
      arrived(served.code)
      const reported = answerHeaders(timeline, cloud.cluster.release, call.headers['Audit-ID'])
      return { status: served.code, headers: { ...served.headers, ...reported }, text: served.text }
    }
    const served = await cloud.openstackFront({
      method: call.method,
      target: call.target,
      headers: { ...call.headers, host: HOST },
      body: call.body,
    })
    arrived(served?.status ?? 0)
    return served === null ? null : { status: served.status, headers: { ...served.headers, date }, text: served.text }
  }

  /** Sends one message; `settle` is called once, or never if no answer arrives. */
  function post(call: Call, settle: (outcome: Outcome) => void): void {
    const message = `${call.api} ${call.method} ${call.target}`
    const sentAtMs = timeline.now()
    const fault = faults.meet(sentAtMs, message)
    trace(`${from} asks ${message}${fault === null ? '' : ` ${JSON.stringify(fault)}`}`)
    const answered = (answer: Answer | null, more = 0) => {
      const servedAtMs = timeline.now()
      back(latency() + more, () => {
        parts.judge.received(from, call.target, servedAtMs, fault?.kind !== 'lie')
        trace(`${from} hears ${answer?.status ?? 'nothing'} ${message} ${answer?.text.length ?? 0}`)
        settle(answer ?? 'reset after')
      })
    }
    timeline.at(sentAtMs + latency() + (fault?.kind === 'slow' ? fault.ms : 0), () => {
      void deliver(call, message, sentAtMs, fault, answered, settle)
    })
  }

  async function deliver(
    call: Call,
    message: string,
    sentAtMs: number,
    fault: MessageFault | null,
    answered: (answer: Answer | null, more?: number) => void,
    settle: (outcome: Outcome) => void,
  ): Promise<void> {
    const truth = async (copy = false) => {
      const answer = await serve(call, sentAtMs, copy)
      if (answer !== null && call.method === 'GET') memory.keep(message, answer)
      return answer
    }
    switch (fault?.kind) {
      case undefined:
        answered(await truth())
        return
      case 'slow':
        answered(await truth(), dice.below(fault.ms))
        return
      case 'request-lost':
        if (!fault.silent) back(latency(), () => settle('reset before'))
        return
      case 'answer-lost':
        await truth()
        if (!fault.silent) back(latency(), () => settle('reset after'))
        return
      case 'twice': {
        const first = await truth()
        const second = await truth(true)
        answered(fault.answer === 'first' ? first : second)
        return
      }
      case 'status': {
        const { status, retryAfterSeconds, asDate = false, html } = fault
        const later = asDate
          ? new Date(timeline.now() + retryAfterSeconds * 1000).toUTCString()
          : String(retryAfterSeconds)
        answered({
          status,
          headers: {
            'content-type': html ? 'text/html' : 'application/json',
            date: new Date(timeline.now()).toUTCString(),
            ...(retryAfterSeconds > 0 ? { 'retry-after': later } : {}),
          },
          text: html ? `<html><body><h1>${status}</h1></body></html>` : refusalText(call.api, status),
        })
        return
      }
      case 'told': {
        const really = await truth()
        const reported = really === null || really.status > 299 ? null : fault.report(really)
        answered(really === null || reported === null ? really : { ...really, ...reported })
        return
      }
      case 'lie': {
        // What is behind has no earlier answer to a change: neither a cache nor a replica carries one out.
        if (call.method !== 'GET' && (fault.lie === 'stale' || fault.lie === 'lagging')) {
          answered(await truth())
          return
        }
        const really = fault.carriedOut || call.method === 'GET' ? await truth() : null
        if (really !== null && really.status > 299) {
          answered(really)
          return
        }
        const kept = fault.lie === 'stale' ? memory.earlier(message, dice) : null
        if (kept !== null) {
          answered(kept)
          return
        }
        const { text, type } = reportLie(fault.lie, message, really?.text ?? '{}', memory, dice)
        const headers = { ...really?.headers, 'content-type': type, 'content-length': String(Buffer.byteLength(text)) }
        answered({ status: 200, headers: { date: new Date(timeline.now()).toUTCString(), ...headers }, text })
      }
    }
  }

  async function open(call: Call, opened: (stream: HttpStream | Outcome) => void, cut: AbortSignal): Promise<void> {
    const reported = answerHeaders(timeline, cloud.cluster.release, call.headers['Audit-ID'])
    const served = await cloud.kubernetesFront.serve({
      method: call.method,
      target: call.target,
      accept: call.headers.Accept ?? '',
      contentType: '',
      userAgent: call.headers['User-Agent'] ?? '',
      body: Buffer.alloc(0),
      user: cloud.user,
    })
    if (served.kind !== 'watch') {
      if (served.kind === 'whole')
        opened({ status: served.code, headers: { ...served.headers, ...reported }, text: served.text })
      return
    }
    const body = new PassThrough()
    // The reader of the body gets the error; without a reader nothing needs it.
    body.on('error', () => {})
    let last = timeline.now()
    const inOrder = (run: () => void) => {
      last = Math.max(last, timeline.now() + latency())
      timeline.at(last, () =>
        machine.whenAwake(() => {
          if (isAlive() && !body.destroyed) run()
        }),
      )
    }
    const sink: WatchSink = {
      once: (_, gone) => body.once('close', gone),
      writeHead: () => {},
      flushHeaders: () => {},
      write: line => inOrder(() => body.write(line)),
      end: () => inOrder(() => body.end()),
      destroy: () => {
        inOrder(() => body.destroy(new Error('socket hang up')))
        // The type is that of a ServerResponse, which nobody chains here.
        return undefined as never
      },
    }
    const cancel = () => void body.destroy(new Error('cancelled'))
    const headers = { 'content-type': 'application/json', ...reported }
    opened({ kind: 'answer', status: 200, headers, body: body as unknown as HttpStream['body'], cancel })
    await streamWatch(cloud.cluster, served.watch, sink, cut)
  }

  const watches = new AbortController()
  const aliveAnd = (run: () => void) => () => {
    if (isAlive()) run()
  }
  /** Sends a message and waits for the whole answer. */
  const exchanged = (call: Call, { signal, timeoutMs }: Pick<HttpRequest, 'signal' | 'timeoutMs'>) =>
    new Promise<HttpOutcome>(resolve => {
      if (signal?.aborted) {
        resolve({ kind: 'aborted' })
        return
      }
      const giveUp = aliveAnd(() => resolve({ kind: 'aborted' }))
      signal?.addEventListener('abort', giveUp, { once: true })
      // This limit does not use the console's clock: ending another wait for each message costs more than sending it.
      const inTime = machine.alarm(
        timeoutMs,
        aliveAnd(() => resolve({ kind: 'timed-out' })),
      )
      post(call, outcome => {
        resolve(
          typeof outcome === 'string'
            ? BROKEN
            : { kind: 'answer', status: outcome.status, headers: outcome.headers, body: outcome.text },
        )
        inTime()
        signal?.removeEventListener('abort', giveUp)
      })
    })
  return {
    kubernetes: {
      send: (request, proof) => {
        const headers = { ...request.headers, ...proof.headers } as Readonly<Record<string, string>>
        const { method, path: target, body } = request
        return exchanged({ api: 'kubernetes', method, target, headers, body: body ?? '' }, request)
      },
      open: (request, proof) =>
        new Promise<HttpOutcome<HttpStream>>(resolve => {
          if (request.signal?.aborted) {
            resolve({ kind: 'aborted' })
            return
          }
          const cut = new AbortController()
          let stream: HttpStream | null = null
          request.signal?.addEventListener(
            'abort',
            () => {
              resolve({ kind: 'aborted' })
              stream?.cancel()
              cut.abort()
            },
            { once: true },
          )
          const headers = { ...request.headers, ...proof.headers } as Readonly<Record<string, string>>
          const call: Call = { api: 'kubernetes', method: request.method, target: request.path, headers, body: '' }
          const message = `kubernetes ${request.method} ${request.path}`
          const fault = faults.meet(timeline.now(), message)
          trace(`${from} opens ${message}${fault === null ? '' : ` ${fault.kind}`}`)
          if (fault !== null && fault.kind !== 'slow') {
            back(latency(), () => resolve(BROKEN))
            return
          }
          timeline.at(timeline.now() + latency(), () => {
            void open(
              call,
              opened =>
                back(latency(), () => {
                  if (typeof opened === 'string') resolve(BROKEN)
                  else if ('cancel' in opened) {
                    stream = opened
                    resolve(opened)
                  } else {
                    const body = new PassThrough()
                    body.end(opened.text)
                    const whole = body as unknown as HttpStream['body']
                    const { status, headers: reported } = opened
                    resolve({ kind: 'answer', status, headers: reported, body: whole, cancel: () => {} })
                  }
                }),
              AbortSignal.any([cut.signal, watches.signal]),
            )
          })
        }),
      converse: async ({ path, onMessage }) => {
        const url = new URL(path, `https://${HOST}`)
        const [, namespace, name] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/exec$/.exec(url.pathname) ?? []
        const pod = name === undefined ? null : cloud.objects.get('Pod', namespace ?? null, name)
        await new Promise<void>(resolve => machine.alarm(latency() + latency(), aliveAnd(resolve)))
        if (pod === null) return BROKEN
        const command = url.searchParams.getAll('command')
        const result = runInPod(cloud.commands, pod, command)
        const fault = faults.meet(timeline.now(), `pod ${command.join(' ')}`)
        const reported =
          fault?.kind === 'told' && result.exitCode === 0 ? fault.report({ headers: {}, text: result.stdout }) : null
        for (const message of messagesOf({ ...result, stdout: reported?.text ?? result.stdout })) onMessage(message)
        return { kind: 'answer', status: 101, headers: {}, body: '' }
      },
      // No run connects to a port of a pod.
      dial: async () => BROKEN,
      close: () => watches.abort(),
    },
    juju: cloud.juju === null ? null : createSimulatedJuju({ ...parts, world: cloud.juju, dice: dice.of('juju') }),
    openstack: {
      send: request => {
        const { method, url, body } = request
        const headers = request.headers as Readonly<Record<string, string>>
        const target = `${url.pathname}${url.search}`
        return exchanged({ api: 'openstack', method, target, headers, body: body ?? '' }, request)
      },
      close: () => {},
    },
  }
}

const BROKEN: NoAnswer = { kind: 'broken', sent: true, code: 'ECONNRESET', text: 'socket hang up' }

function refusalText(api: Arrival['api'], status: number): string {
  return JSON.stringify(
    api === 'kubernetes'
      ? { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'a fault of the simulation', code: status }
      : { error: { code: status, title: 'Fault', message: 'a fault of the simulation' } },
  )
}
