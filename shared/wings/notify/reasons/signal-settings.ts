import type { OfCluster, TextsOf } from '../../../words/steps/coded.ts'

type OfSystem = OfCluster & { readonly system: string }
type OfHook = { readonly webhook: string }

/** Faults of the settings of health gates, silences and webhooks. No value has an address or a secret. */
export const SIGNAL_SETTINGS_REASONS = {
  SignalsAsTheyAre: () => 'signals: unchanged',
  SignalSecretsChanged: () => 'signals: the same, with other secrets',
  SecretWithoutLogin: (of: OfSystem) => `A secret for ${systemText(of)} needs a login: a token or a user.`,
  AddressHasQuery: (of: OfSystem) =>
    `The address of ${systemText(of)} has a question mark. Remove it and the rest of the address.`,
  CaFileNotAbsolute: (of: OfSystem) => `The CA file of ${systemText(of)} must be an absolute path.`,
  SecretOfOtherAddress: (of: OfSystem) =>
    `${systemText(of)} has a new address: give its token or password again to confirm it.`,
  SecretHasLineBreak: (of: OfSystem) => `The secret of ${systemText(of)} is not a single line.`,
  GateTwice: ({ gate }: { readonly gate: string }) =>
    `Two health gates have the name "${gate}". Give each its own name.`,
  NoHealthGates: ({ cluster }: OfCluster) => `${cluster} has no health gates: its settings name no Prometheus.`,
  WebhookNeedsKey: ({ webhook }: OfHook) =>
    `Webhook ${webhook} needs a key, so that the receiver can recognise Lockkeeper's messages.`,
  WebhookTakesNoKey: ({ form }: { readonly form: string }) =>
    `A webhook of form ${form} has no key: its address alone is the secret.`,
  WebhookKeyShort: ({ webhook, least }: OfHook & { readonly least: number }) =>
    `The key of webhook ${webhook} is shorter than ${least} characters.`,
  WebhookNeedsAddress: ({ webhook }: OfHook) => `Webhook ${webhook} needs an address.`,
} satisfies TextsOf<string>

function systemText({ system, cluster }: OfSystem): string {
  return `${system} of ${cluster}`
}
