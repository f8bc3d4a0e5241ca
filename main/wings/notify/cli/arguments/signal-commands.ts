import { WebhookEvent, WebhookForm } from '../../../../../shared/domain/signals.ts'
import type { CommandSpec, FlagSpec, OperandSpec } from '../../../../faces/cli/arguments/argument-specs.ts'
import { cluster, yes } from '../../../../faces/cli/arguments/argument-words.ts'

const webhook: OperandSpec = {
  name: 'WEBHOOK',
  required: true,
  help: 'its name on this cluster (`cluster webhook list`).',
}

/** Address and login of a system beside the cloud. */
const endpointFlags: readonly FlagSpec[] = [
  {
    name: 'url',
    value: { kind: 'text', placeholder: 'URL' },
    help: 'its address with its path: https, or http on this machine; no login in the address',
  },
  {
    name: 'token-file',
    value: { kind: 'text', placeholder: 'FILE' },
    help: 'a file with a bearer token; - is standard input. Stored like other secrets of this console',
  },
  { name: 'user', value: { kind: 'text', placeholder: 'NAME' }, help: 'the user of basic authentication' },
  {
    name: 'password-file',
    value: { kind: 'text', placeholder: 'FILE' },
    help: 'a file with the password of that user; - is standard input',
  },
  { name: 'no-login', value: { kind: 'switch' }, help: 'send requests without a login' },
  { name: 'ca-file', value: { kind: 'text', placeholder: 'FILE' }, help: 'certificates of the authorities to trust' },
]

/** Commands about webhooks, Alertmanager and Prometheus. */
export const signalCommands: readonly CommandSpec[] = [
  {
    path: ['cluster', 'webhook', 'add'],
    summary: 'send events of runs on a cluster to a receiver, or change its settings',
    about: [
      'Address and key are secrets: give them in a file or type them. They are stored like other secrets of this console and never shown again. https only, or http on this machine.',
      'With form json the key signs each message (HMAC-SHA256, docs/signals.md). For slack and teams, the address of the incoming webhook is the only secret.',
    ],
    operands: [cluster, webhook],
    flags: [
      {
        name: 'form',
        value: { kind: 'choice', choices: WebhookForm.options },
        help: "json (the default): Lockkeeper's own, signed; slack; teams: a workflow that posts webhook messages",
      },
      {
        name: 'url-file',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'a file with its address; - is standard input. Without it you type the address',
      },
      {
        name: 'key-file',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'a file with the key of form json, at least 16 characters',
      },
      {
        name: 'on',
        value: { kind: 'choice', choices: WebhookEvent.options },
        repeatable: true,
        help: 'the events to send, such as --on waiting --on failed (default: all)',
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
    summary: 'list the webhooks of a cluster, by host',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['cluster webhook list lab'],
    needs: 'contract',
    load: async () => (await import('../commands/webhooks.ts')).listWebhooks,
  },
  {
    path: ['cluster', 'webhook', 'test'],
    summary: 'send one test message to a webhook',
    about: ['Exit code 0 when the receiver accepted it, 1 when not.'],
    operands: [cluster, webhook],
    flags: [],
    examples: ['cluster webhook test lab ops'],
    needs: 'contract',
    load: async () => (await import('../commands/webhooks.ts')).testWebhook,
  },
  {
    path: ['cluster', 'webhook', 'remove'],
    summary: 'remove a webhook with its address and key',
    about: [],
    operands: [cluster, webhook],
    flags: [yes],
    examples: ['cluster webhook remove lab ops --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/webhooks.ts')).removeWebhook,
  },
  {
    path: ['cluster', 'alertmanager', 'set'],
    summary: 'silence alerts about the nodes that a run works on, in this Alertmanager',
    about: [
      'Each silence covers exactly the current node and its instances and lasts ten minutes. The run extends it while it works on the node and ends it afterwards; if the console dies, the silence expires.',
      'Matchers are templates with NODE, INSTANCE_NAME and INSTANCE_ID; each makes one silence. The defaults are instance=~"^NODE(:[0-9]+)?$" and node="NODE"; instance_id="INSTANCE_ID".',
    ],
    operands: [cluster],
    flags: [
      ...endpointFlags,
      {
        name: 'node-matcher',
        value: { kind: 'text', placeholder: 'MATCHERS' },
        repeatable: true,
        help: 'labels of the alerts of a node; replaces earlier matchers',
      },
      {
        name: 'instance-matcher',
        value: { kind: 'text', placeholder: 'MATCHERS' },
        repeatable: true,
        help: 'labels of the alerts of an instance; none: silence no instances',
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
    summary: 'ask the Alertmanager of a cluster for its version; silences nothing',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['cluster alertmanager test lab'],
    needs: 'contract',
    load: async () => (await import('../commands/alertmanager.ts')).testAlertmanager,
  },
  {
    path: ['cluster', 'alertmanager', 'remove'],
    summary: 'remove the silence settings of a cluster and the login of its Alertmanager',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['cluster alertmanager remove lab'],
    needs: 'contract',
    load: async () => (await import('../commands/alertmanager.ts')).removeAlertmanager,
  },
  {
    path: ['cluster', 'gate', 'add'],
    summary: 'add a health gate: a Prometheus query that must pass before each node',
    about: [
      'Lockkeeper runs the PromQL query when it checks a plan, when the run starts, and before each node. The gate fails when any value of the answer matches --stops-when, or when the answer is missing, empty or NaN.',
      'A running run then asks: retry, continue with a reason, skip the node, or abort. Before a run, --force REASON overrides gates that the plan shows as failed; a gate that fails later still stops the run.',
      'Give the address of Prometheus once, with the first gate.',
    ],
    operands: [cluster, { name: 'GATE', required: true, help: 'its name, such as "error rate".' }],
    flags: [
      { name: 'query', value: { kind: 'text', placeholder: 'PROMQL' }, help: 'an instant query that returns numbers' },
      {
        name: 'stops-when',
        value: { kind: 'text', placeholder: 'COMPARISON' },
        help: 'when the gate fails, such as "> 0.01"; one of > >= < <= == != and a number',
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
    summary: 'list the health gates of a cluster',
    about: [],
    operands: [cluster],
    flags: [],
    examples: ['cluster gate list lab'],
    needs: 'contract',
    load: async () => (await import('../commands/gates.ts')).listGates,
  },
  {
    path: ['cluster', 'gate', 'test'],
    summary: 'test every health gate of a cluster now',
    about: ['Exit code 0 when all pass, 3 when one fails or cannot be tested.'],
    operands: [cluster],
    flags: [],
    examples: ['cluster gate test lab'],
    needs: 'contract',
    load: async () => (await import('../commands/gates.ts')).testGates,
  },
  {
    path: ['cluster', 'gate', 'remove'],
    summary: 'remove a health gate; the last one also removes Prometheus and its login',
    about: [],
    operands: [cluster, { name: 'GATE', required: true, help: 'its name (`cluster gate list`).' }],
    flags: [],
    examples: ['cluster gate remove lab "error rate"'],
    needs: 'contract',
    load: async () => (await import('../commands/gates.ts')).removeGate,
  },
]
