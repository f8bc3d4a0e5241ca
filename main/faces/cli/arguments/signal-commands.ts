import { WebhookEvent, WebhookForm } from '../../../../shared/domain/signals.ts'
import type { CommandSpec, FlagSpec, OperandSpec } from './argument-specs.ts'
import { cluster, yes } from './argument-words.ts'

const webhook: OperandSpec = {
  name: 'WEBHOOK',
  required: true,
  help: 'its name on this cluster (`cluster webhook list`).',
}

/** How a system beside the cloud is asked. */
const endpointFlags: readonly FlagSpec[] = [
  {
    name: 'url',
    value: { kind: 'text', placeholder: 'URL' },
    help: 'its address with its path: https, or http on this machine; without a login in it',
  },
  {
    name: 'token-file',
    value: { kind: 'text', placeholder: 'FILE' },
    help: 'a file that holds a bearer token; - is standard input. It is kept as other secrets of this console',
  },
  { name: 'user', value: { kind: 'text', placeholder: 'NAME' }, help: 'the user of basic authentication' },
  {
    name: 'password-file',
    value: { kind: 'text', placeholder: 'FILE' },
    help: 'a file that holds the password of that user; - is standard input',
  },
  { name: 'no-login', value: { kind: 'switch' }, help: 'it is asked without a login' },
  { name: 'ca-file', value: { kind: 'text', placeholder: 'FILE' }, help: 'the authorities that it is trusted by' },
]

/** Commands about what of a cluster's runs is told to the outside. */
export const signalCommands: readonly CommandSpec[] = [
  {
    path: ['cluster', 'webhook', 'add'],
    summary: 'tell a receiver what happens in runs on a cluster, or change how it is told',
    about: [
      'Address and key are secrets: they are read from a file or typed, kept where other secrets of this console are, and never shown again. https only, or http on this machine.',
      'Of form json each message is signed with the key (HMAC-SHA256, docs/signals.md); slack and teams are the incoming webhooks of those, whose address alone is the secret.',
    ],
    operands: [cluster, webhook],
    flags: [
      {
        name: 'form',
        value: { kind: 'choice', choices: WebhookForm.options },
        help: 'json: our own, signed (the default); slack; teams: a workflow that posts what a webhook is sent',
      },
      {
        name: 'url-file',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'a file that holds its address; - is standard input. Without it the address is asked for',
      },
      {
        name: 'key-file',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'a file that holds the key of form json, at least 16 characters',
      },
      {
        name: 'on',
        value: { kind: 'choice', choices: WebhookEvent.options },
        repeatable: true,
        help: 'what is told, such as --on waiting --on failed; everything if nothing is said',
      },
    ],
    examples: [
      'cluster webhook add lab ops --url-file ~/hook-address --key-file ~/hook-key',
      'cluster webhook add lab chat --form slack --url-file - --on waiting --on failed',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/webhook-add.ts')).addWebhook,
  },
  {
    path: ['cluster', 'webhook', 'list'],
    summary: 'the webhooks of a cluster, by host',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['cluster webhook list lab'],
    needs: 'contract',
    load: async () => (await import('../commands/webhooks.ts')).listWebhooks,
  },
  {
    path: ['cluster', 'webhook', 'test'],
    summary: 'send a test to a webhook, once',
    about: ['Exit 0 when the receiver took it, 1 when not.'],
    operands: [cluster, webhook],
    flags: [],
    examples: ['cluster webhook test lab ops'],
    needs: 'contract',
    load: async () => (await import('../commands/webhooks.ts')).testWebhook,
  },
  {
    path: ['cluster', 'webhook', 'remove'],
    summary: 'remove a webhook, and forget its address and key',
    about: [],
    operands: [cluster, webhook],
    flags: [yes],
    examples: ['cluster webhook remove lab ops --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/webhooks.ts')).removeWebhook,
  },
  {
    path: ['cluster', 'alertmanager', 'set'],
    summary: 'silence the alerts of what a run works on, in this Alertmanager',
    about: [
      'A silence is of exactly the node whose turn it is and the instances on it, lasts ten minutes, is prolonged while the run works on the node and ended with that work; when the console dies it expires by itself.',
      'Matchers are templates with NODE, INSTANCE_NAME and INSTANCE_ID in them, each a silence of its own. Without them: instance=~"^NODE(:[0-9]+)?$" and node="NODE"; instance_id="INSTANCE_ID".',
    ],
    operands: [cluster],
    flags: [
      ...endpointFlags,
      {
        name: 'node-matcher',
        value: { kind: 'text', placeholder: 'MATCHERS' },
        repeatable: true,
        help: 'what the alerts of a node are labelled with; replaces those that were set',
      },
      {
        name: 'instance-matcher',
        value: { kind: 'text', placeholder: 'MATCHERS' },
        repeatable: true,
        help: 'what the alerts of an instance are labelled with; none: no instance is silenced',
      },
    ],
    examples: [
      'cluster alertmanager set lab --url https://alerts.example.org --token-file ~/alerts-token',
      'cluster alertmanager set lab --node-matcher host=\\"NODE\\" --instance-matcher none',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/alertmanager.ts')).setAlertmanager,
  },
  {
    path: ['cluster', 'alertmanager', 'test'],
    summary: 'ask the Alertmanager of a cluster for its version; nothing is silenced',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['cluster alertmanager test lab'],
    needs: 'contract',
    load: async () => (await import('../commands/alertmanager.ts')).testAlertmanager,
  },
  {
    path: ['cluster', 'alertmanager', 'remove'],
    summary: 'remove the silence settings of a cluster, and forget the login of its Alertmanager',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['cluster alertmanager remove lab'],
    needs: 'contract',
    load: async () => (await import('../commands/alertmanager.ts')).removeAlertmanager,
  },
  {
    path: ['cluster', 'gate', 'add'],
    summary: 'ask Prometheus before each node whether the cloud is well, and take none while it is not',
    about: [
      'The query is PromQL, asked when a plan is checked, when its run begins, and again when the turn of each node comes. It stops when any value of the answer compares as --stops-when says; no value at all, NaN or no answer is never taken for well.',
      'A run that is under way waits with a question then: retry, continue with a reason, skip the node, or abort. Before a run, --force REASON lifts the gates that are shown not to hold; one that fails later stops the run all the same.',
      'Where Prometheus is has to be said once, with the first gate.',
    ],
    operands: [cluster, { name: 'GATE', required: true, help: 'its name, such as "error rate".' }],
    flags: [
      { name: 'query', value: { kind: 'text', placeholder: 'PROMQL' }, help: 'an instant query that comes to numbers' },
      {
        name: 'stops-when',
        value: { kind: 'text', placeholder: 'COMPARISON' },
        help: 'when no node is taken, such as "> 0.01"; one of > >= < <= == != and a number',
      },
      ...endpointFlags,
    ],
    examples: [
      'cluster gate add lab errors --url https://prometheus.example.org --query job:errors:ratio5m --stops-when ">0.01"',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/gates.ts')).addGate,
  },
  {
    path: ['cluster', 'gate', 'list'],
    summary: 'the health gates of a cluster',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['cluster gate list lab'],
    needs: 'contract',
    load: async () => (await import('../commands/gates.ts')).listGates,
  },
  {
    path: ['cluster', 'gate', 'test'],
    summary: 'ask every health gate of a cluster now',
    about: ['Exit 0 when all hold, 3 when one does not or cannot be told.'],
    operands: [cluster],
    flags: [],
    examples: ['cluster gate test lab'],
    needs: 'contract',
    load: async () => (await import('../commands/gates.ts')).testGates,
  },
  {
    path: ['cluster', 'gate', 'remove'],
    summary: 'remove a health gate; with the last one Prometheus and its login are forgotten',
    about: [],
    operands: [cluster, { name: 'GATE', required: true, help: 'its name (`cluster gate list`).' }],
    flags: [],
    examples: ['cluster gate remove lab "error rate"'],
    needs: 'contract',
    load: async () => (await import('../commands/gates.ts')).removeGate,
  },
]
