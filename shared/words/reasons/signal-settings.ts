import type { OfCluster, TextsOf } from '../steps/coded.ts'

/** A system to which a cluster's settings have an address. */
type OfSystem = OfCluster & { readonly system: string }
type OfHook = { readonly webhook: string }

/** Texts of the settings of health gates, silences and webhooks. No value has an address or a secret. */
export const SIGNAL_SETTINGS_REASONS = {
  SignalsAsTheyAre: () => 'signals: as they are',
  SignalSecretsChanged: () => 'signals: the same, with other secrets',
  SecretWithoutLogin: (of: OfSystem) => `A secret for ${systemText(of)} needs a login: a token or a user.`,
  AddressHasQuery: (of: OfSystem) =>
    `The address of ${systemText(of)} has a question mark. Leave out what comes after it.`,
  CaFileNotAbsolute: (of: OfSystem) => `The CA file of ${systemText(of)} has to be an absolute path.`,
  SecretOfOtherAddress: (of: OfSystem) =>
    `${systemText(of)} is at another address now: give its token or password again, so that it goes there by your word.`,
  SecretHasLineBreak: (of: OfSystem) => `The secret of ${systemText(of)} is no single line.`,
  GateTwice: ({ gate }: { readonly gate: string }) => `There are two health gates "${gate}". Give each its own name.`,
  NoHealthGates: ({ cluster }: OfCluster) => `${cluster} has no health gates: its settings name no Prometheus.`,
  WebhookNeedsKey: ({ webhook }: OfHook) =>
    `Webhook ${webhook} needs a key: by it the receiver knows that a message is ours.`,
  WebhookTakesNoKey: ({ form }: { readonly form: string }) =>
    `A webhook of form ${form} has no key: its address alone is the secret.`,
  WebhookKeyShort: ({ webhook, least }: OfHook & { readonly least: number }) =>
    `The key of webhook ${webhook} is shorter than ${least} characters.`,
  WebhookNeedsAddress: ({ webhook }: OfHook) => `Webhook ${webhook} needs an address.`,
} satisfies TextsOf<string>

function systemText({ system, cluster }: OfSystem): string {
  return `${system} of ${cluster}`
}
