import type { Cluster } from '../domain/cluster.ts'
import { stopWords } from '../domain/health-gates.ts'
import type { CheckedPlan, Placed } from '../domain/plan.ts'
import type { RunEnding } from '../domain/run-ending.ts'
import { silencedBy } from '../domain/run-silenced.ts'
import {
  type KeptSignal,
  type SignalEndpoint,
  type SignalEntry,
  type SignalNews,
  type SignalSettings,
  signalsOf,
  type Webhook,
  type WebhookEvent,
  type WebhookForm,
} from '../domain/signals.ts'
import { matcherText, silencesOf } from '../domain/silence-matchers.ts'
import { counted } from '../grammar/counts.ts'
import { instantWords } from '../grammar/times.ts'
import { workTitle } from './plans.ts'
import { endingWord } from './run-ending.ts'

export const FORM_WORDS: Readonly<Record<WebhookForm, string>> = {
  json: 'JSON, signed',
  slack: 'Slack',
  teams: 'Microsoft Teams',
}

/** The events that an operator can choose for a webhook. */
export const EVENT_WORDS: Readonly<Record<WebhookEvent, string>> = {
  started: 'started',
  waiting: 'needs you',
  overrun: 'will end late',
  done: 'done',
  'not-reached': 'done, but its node is not empty or takes no work',
  failed: 'failed, stopped or interrupted',
}

/** News of a run, after its title: `Taking cmp-1 of lab out of service: needs you`. */
export function newsTitle(
  plan: Placed,
  {
    event,
    outcome,
    ending,
  }: {
    readonly event: WebhookEvent
    readonly outcome: SignalNews['outcome']
    /** Null if the run continues or is paused, or its history cannot be read. */
    readonly ending: RunEnding | null
  },
): string {
  return `${workTitle(plan)}: ${newsWords(event, outcome, ending)}`
}

/** The title of a test message of a webhook. */
export function testTitle(cluster: string): string {
  return `A test of ${cluster}`
}

function newsWords(event: WebhookEvent, outcome: SignalNews['outcome'], ending: RunEnding | null): string {
  if (outcome === 'interrupted') return 'interrupted, runs on no console'
  if (ending !== null) return endingWord(ending)
  return EVENT_WORDS[event]
}

/** The signal settings of a cloud, in short words for the journal. */
export function signalSettingsWords({ webhooks, alertmanager, health }: SignalSettings): string {
  const parts = [
    ...webhooks.map(webhookWords),
    ...(alertmanager === null
      ? []
      : [
          `Alertmanager ${endpointWords(alertmanager.endpoint)} (${[...alertmanager.nodeMatchers, ...alertmanager.instanceMatchers].join('; ')})`,
        ]),
    ...(health === null
      ? []
      : [
          `health gates of Prometheus ${endpointWords(health.endpoint)} (${health.gates.map(({ name, query, stopsWhen }) => `${name}: stops when ${query} ${stopWords(stopsWhen)}`).join('; ') || 'none'})`,
        ]),
  ]
  return parts.length === 0 ? 'none' : parts.join(', ')
}

function endpointWords({ url, login, caFile }: SignalEndpoint): string {
  const how = login.kind === 'none' ? '' : login.kind === 'bearer' ? ' with a token' : ` as ${login.user}`
  return `${url}${how}${caFile === null ? '' : `, trusted by ${caFile}`}`
}

function webhookWords({ name, form, host, events }: Webhook): string {
  return `webhook ${name} (${FORM_WORDS[form]} to ${host}: ${events.join(', ')})`
}

/** An entry of the journal: its subject and its text. */
export function signalWords({ body }: Pick<KeptSignal, 'body'>): { readonly about: string; readonly text: string } {
  switch (body.kind) {
    case 'delivery-begun': {
      const again = body.attempt === 1 ? '' : `, attempt ${body.attempt}`
      return { about: `webhook ${body.hook}`, text: `Sending "${body.event}" to ${body.host}${again} (${body.id}).` }
    }
    case 'delivery-ended': {
      const status = body.status === null ? '' : ` (HTTP ${body.status})`
      const why = body.why === '' ? '' : ` ${body.why}`
      return { about: `webhook ${body.hook}`, text: `${deliveredWords(body)}${status}.${why}` }
    }
    case 'silence-asked':
      return {
        about: `silence of ${body.node}`,
        text: `Lockkeeper asks Alertmanager at ${body.host} to silence ${body.matchers}. Without an answer any such silence ends by ${instantWords(body.overBy)}.`,
      }
    case 'silence-made':
      return {
        about: `silence of ${body.node}`,
        text: `Alertmanager at ${body.host} silences ${body.matchers} until ${instantWords(body.endsAt)} (${body.id}).`,
      }
    case 'silence-prolonged':
      return {
        about: `silence ${body.id}`,
        text: `Lockkeeper prolongs it while the run lasts, first until ${instantWords(body.endsAt)}.`,
      }
    case 'silence-failed':
      return {
        about: `silence of ${body.node}`,
        text: `Lockkeeper cannot tell whether it was ${FAILED[body.doing]}, and tries again: ${body.why}`,
      }
    case 'silence-over':
      return { about: `silence ${body.id}`, text: overWords(body) }
    case 'silence-let-go':
      return {
        about: `silence ${body.id}`,
        text: `The settings no longer name Alertmanager at ${body.host}, so Lockkeeper stops managing this silence. It expires within ten minutes.`,
      }
    case 'silence-left':
      return {
        about: `silence ${body.id}`,
        text: `The console left the run: it expires at ${instantWords(body.endsAt)} unless the run is resumed.`,
      }
  }
}

/** The result of a test; without an answer it is unknown. */
export function testedWords(
  who: string,
  { arrived, status, why }: { readonly arrived: boolean; readonly status: number | null; readonly why: string },
): string {
  if (status === null) return `It is unknown whether ${who} accepted the test. ${why}`.trim()
  const what = arrived ? 'accepted the test' : 'refused the test'
  return `${who.replace(/^[a-z]/, first => first.toUpperCase())} ${what} (HTTP ${status}). ${why}`.trim()
}

function deliveredWords({ outcome, status }: Extract<SignalEntry, { kind: 'delivery-ended' }>): string {
  if (outcome === 'arrived') return 'The receiver accepted it'
  const how = status === null ? 'It may not have arrived, and Lockkeeper' : 'The receiver refused it, and Lockkeeper'
  return `${how} ${outcome === 'again' ? 'sends it again' : 'does not send it again'}`
}

const FAILED: Readonly<Record<'make' | 'prolong' | 'end', string>> = {
  make: 'made',
  prolong: 'prolonged',
  end: 'ended',
}

function overWords({ how, seen, endedAt }: Extract<SignalEntry, { kind: 'silence-over' }>): string {
  switch (how) {
    case 'run':
      return 'It ended with the work on its node.'
    case 'stranger':
      return `Someone else ended it at ${instantWords(endedAt)}; Lockkeeper does not make it again.`
    case 'replaced':
      return 'Alertmanager replaced it when it was prolonged.'
    case 'lapsed':
      return seen
        ? `It expired at ${instantWords(endedAt)}.`
        : `It should have expired at ${instantWords(endedAt)}; Alertmanager did not answer.`
    case 'ended':
      return `Alertmanager says it ended at ${instantWords(endedAt)}, for an unknown reason.`
    case 'gone':
      return `At ${instantWords(endedAt)} Alertmanager no longer had a silence of this id.`
  }
}

/** The silences of a plan, in a sentence; null if there is none, because the cloud has no Alertmanager or the plan takes out no node. */
export function silencedWords(
  cluster: Pick<Cluster, 'signals'>,
  { plan, checks }: Pick<CheckedPlan, 'plan' | 'checks'>,
): string | null {
  const { alertmanager } = signalsOf(cluster)
  if (alertmanager === null) return null
  const nodes = silencedBy(plan, checks)
  const [only] = nodes
  if (only === undefined) return null
  // Without the class URL, which shared code does not have on both sides.
  const host = /^https?:\/\/([^/]+)/.exec(alertmanager.endpoint.url)?.[1] ?? alertmanager.endpoint.url
  const instances = nodes.reduce((sum, node) => sum + node.instances.length, 0)
  const also =
    alertmanager.instanceMatchers.length === 0 || instances === 0
      ? ''
      : `, and of ${counted(instances, 'instance')} on ${nodes.length === 1 ? 'it' : 'them'} (${alertmanager.instanceMatchers.join('; ')})`
  if (nodes.length > 1) {
    return `Alertmanager at ${host} silences the alerts of each of ${nodes.length} nodes during its turn (${alertmanager.nodeMatchers.join('; ')})${also}. Each silence ends with the work on its node.`
  }
  const texts = silencesOf({ ...alertmanager, instanceMatchers: [] }, { node: only.node, instances: [] }).map(
    matcherText,
  )
  const until =
    plan.kind === 'enter'
      ? `Alerts of ${only.node} return when the run ends, while the node is still in maintenance: \`maintain\` includes the work in the run.`
      : 'The silence ends with the run, whether or not the node is back by then.'
  return `Alertmanager at ${host} silences the alerts of ${only.node} during the run (${texts.join('; ')})${also}. ${until}`
}
