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
import { workTitle } from './plans.ts'
import { endingWord } from './run-ending.ts'

/** The forms of webhooks, as an operator chooses among them. */
export const FORM_WORDS: Readonly<Record<WebhookForm, string>> = {
  json: 'JSON, signed',
  slack: 'Slack',
  teams: 'Microsoft Teams',
}

/** What is told, as an operator chooses among it. */
export const EVENT_WORDS: Readonly<Record<WebhookEvent, string>> = {
  started: 'started',
  waiting: 'waits for you',
  overrun: 'overrun ahead',
  done: 'done',
  'not-reached': 'done, but its node is not empty or takes no work',
  failed: 'failed, stopped or interrupted',
}

/** What became of a run, after what it is: `Taking cmp-1 of lab out of service: waits for you`. */
export function newsTitle(
  plan: Placed,
  {
    event,
    outcome,
    ending,
  }: {
    readonly event: WebhookEvent
    readonly outcome: SignalNews['outcome']
    /** Null: it goes on, nobody drives it, or its history cannot be read. */
    readonly ending: RunEnding | null
  },
): string {
  return `${workTitle(plan)}: ${newsWords(event, outcome, ending)}`
}

/** The title of news that only tries a webhook. */
export function testTitle(cluster: string): string {
  return `A test of ${cluster}`
}

function newsWords(event: WebhookEvent, outcome: SignalNews['outcome'], ending: RunEnding | null): string {
  if (outcome === 'interrupted') return 'interrupted, nobody drives it'
  if (ending !== null) return endingWord(ending)
  return EVENT_WORDS[event]
}

/** What of a cluster is told to the outside, in short words for the journal. */
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

/** An entry of the journal in words: what it is about, and what is said of it. */
export function signalWords({ body }: Pick<KeptSignal, 'body'>): { readonly about: string; readonly text: string } {
  switch (body.kind) {
    case 'delivery-begun': {
      const again = body.attempt === 1 ? '' : `, attempt ${body.attempt}`
      return { about: `webhook ${body.hook}`, text: `"${body.event}" is sent to ${body.host}${again} (${body.id}).` }
    }
    case 'delivery-ended': {
      const status = body.status === null ? '' : ` (HTTP ${body.status})`
      const why = body.why === '' ? '' : ` ${body.why}`
      return { about: `webhook ${body.hook}`, text: `${deliveredWords(body)}${status}.${why}` }
    }
    case 'silence-asked':
      return {
        about: `silence of ${body.node}`,
        text: `Alertmanager at ${body.host} is asked to silence ${body.matchers}. What it makes of that without an answer that was heard is over by ${body.overBy}.`,
      }
    case 'silence-made':
      return {
        about: `silence of ${body.node}`,
        text: `Alertmanager at ${body.host} silences ${body.matchers} until ${body.endsAt} (${body.id}).`,
      }
    case 'silence-prolonged':
      return { about: `silence ${body.id}`, text: `It is prolonged while the run lasts, first until ${body.endsAt}.` }
    case 'silence-failed':
      return {
        about: `silence of ${body.node}`,
        text: `Nothing says that it was ${FAILED[body.doing]}, and it is tried again: ${body.why}`,
      }
    case 'silence-over':
      return { about: `silence ${body.id}`, text: overWords(body) }
    case 'silence-let-go':
      return {
        about: `silence ${body.id}`,
        text: `The settings do not name Alertmanager at ${body.host} any more: it is asked nothing more about this silence, which expires by itself within ten minutes.`,
      }
    case 'silence-left':
      return {
        about: `silence ${body.id}`,
        text: `The console left the run: it expires at ${body.endsAt} unless the run is driven on.`,
      }
  }
}

/** What came of a test; without an answer nobody knows whether it arrived. */
export function testedWords(
  who: string,
  { arrived, status, why }: { readonly arrived: boolean; readonly status: number | null; readonly why: string },
): string {
  if (status === null) return `Nothing says that ${who} took the test. ${why}`.trim()
  const what = arrived ? 'took the test' : 'did not take the test'
  return `${who.replace(/^[a-z]/, first => first.toUpperCase())} ${what} (HTTP ${status}). ${why}`.trim()
}

/** Without an answer nobody knows whether it arrived. */
function deliveredWords({ outcome, status }: Extract<SignalEntry, { kind: 'delivery-ended' }>): string {
  if (outcome === 'arrived') return 'It was taken'
  const how = status === null ? 'Nothing says that it was taken, and it' : 'It was not taken and'
  return `${how} is ${outcome === 'again' ? 'sent again' : 'not sent again'}`
}

const FAILED: Readonly<Record<'make' | 'prolong' | 'end', string>> = {
  make: 'made',
  prolong: 'prolonged',
  end: 'ended',
}

function overWords({ how, seen, endedAt }: Extract<SignalEntry, { kind: 'silence-over' }>): string {
  switch (how) {
    case 'run':
      return 'It was ended with the work on its node.'
    case 'stranger':
      return `Somebody else ended it at ${endedAt}; it is not made again.`
    case 'replaced':
      return 'Alertmanager replaced it when it was prolonged.'
    case 'lapsed':
      return seen
        ? `It expired by itself at ${endedAt}.`
        : `Its time was over at ${endedAt}; Alertmanager could not be asked.`
    case 'ended':
      return `Alertmanager says that it ended at ${endedAt}; what ended it was not seen.`
    case 'gone':
      return `At ${endedAt} Alertmanager had none of this id any more.`
  }
}

/** What a plan will have silenced, in a sentence; null: nothing, for the cluster has no Alertmanager or the plan takes no node out. */
export function silencedWords(
  cluster: Pick<Cluster, 'signals'>,
  { plan, checks }: Pick<CheckedPlan, 'plan' | 'checks'>,
): string | null {
  const { alertmanager } = signalsOf(cluster)
  if (alertmanager === null) return null
  const nodes = silencedBy(plan, checks)
  const [only] = nodes
  if (only === undefined) return null
  // Without URL, which no room that both sides share has.
  const host = /^https?:\/\/([^/]+)/.exec(alertmanager.endpoint.url)?.[1] ?? alertmanager.endpoint.url
  const instances = nodes.reduce((sum, node) => sum + node.instances.length, 0)
  const also =
    alertmanager.instanceMatchers.length === 0 || instances === 0
      ? ''
      : `, and of ${counted(instances, 'instance')} on ${nodes.length === 1 ? 'it' : 'them'} (${alertmanager.instanceMatchers.join('; ')})`
  if (nodes.length > 1) {
    return `Alertmanager at ${host} is asked to silence the alerts of each of ${nodes.length} nodes while its turn lasts (${alertmanager.nodeMatchers.join('; ')})${also}. It ends with the work on the node.`
  }
  const texts = silencesOf({ ...alertmanager, instanceMatchers: [] }, { node: only.node, instances: [] }).map(
    matcherText,
  )
  const until =
    plan.kind === 'enter'
      ? `Alerts of ${only.node} come back when the run is over, while it is in maintenance: \`maintain\` has the work in the run.`
      : 'It ends with the run, whether or not the node is back by then.'
  return `Alertmanager at ${host} is asked to silence the alerts of ${only.node} while the run lasts (${texts.join('; ')})${also}. ${until}`
}
