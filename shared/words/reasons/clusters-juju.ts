import type { Finding, OfPath, TextsOf } from '../steps/coded.ts'

type OfController = OfPath & { readonly controller: string }

/** `fault`: the problem, a clause without a full stop. */
type OfFault = OfPath & { readonly fault: Finding }

/** Refusals of the Juju client's files and of a controller typed in. */
export const CLUSTERS_JUJU_REASONS = {
  JujuAccountMissing: ({ path, controller }: OfController) =>
    `${path} has no account for controller ${controller}. Run \`juju login -c ${controller}\`.`,
  JujuAuthorityNotPem: ({ controller }: Pick<OfController, 'controller'>) =>
    `The authority of Juju controller ${controller} in the cloud's settings is not a PEM certificate. Paste the \`ca-cert\` that \`juju show-controller\` prints.`,
  JujuControllerLacks: ({ path, controller, key }: OfController & { readonly key: string }) =>
    `${path} has no ${key} for controller ${controller}. Run \`juju login -c ${controller}\`, which writes it, or correct the file.`,
  JujuControllerUnknown: ({ path, controller, known }: OfController & { readonly known: readonly string[] }) =>
    `${path} has no controller ${controller}${known.length === 0 ? '' : `, only ${known.join(', ')}`}. Correct the name in the cloud's settings, or run \`juju login\`.`,
  JujuFileAbsent: ({ path, elsewhere }: OfPath & { readonly elsewhere: readonly string[] }) =>
    `Cannot read ${path} of Juju: it does not exist.${elsewhere.length === 0 ? '' : ` The Juju client's files are in ${elsewhere.join(' and ')}.`} ${CORRECT_PATH}`,
  JujuFileNotRead: ({ path, fault }: OfFault) => `Cannot read ${path} of Juju: ${fault.message}. ${CORRECT_PATH}`,
  JujuFileNotYaml: ({ path }: OfPath) => `${path} is not YAML. ${CORRECT_OR_LOG_IN}`,
  JujuFileStrange: ({ path, at }: OfPath & { readonly at: string }) =>
    `${path} does not have the format of the Juju client${at === '' ? '' : ` (at ${at})`}. ${CORRECT_OR_LOG_IN}`,
  JujuFileUnusable: ({ path, fault }: OfFault) => `${path} is unusable: ${fault.message}. ${CORRECT_OR_LOG_IN}`,
  JujuPasswordFileStrange: ({ path, controller, user, lines }: Account & { readonly lines: number }) =>
    `${path} must contain only the password of ${user} on Juju controller ${controller}; it ${lines === 0 ? 'is empty' : 'has several lines'}. Correct it there.`,
  JujuPasswordMissing: ({ path, controller, user }: Account) =>
    `${path} has no password for ${user} on ${controller}: the login did not store one. Put the password into a separate file and give the controller by address in the cloud's settings.`,
  PasswordFileOpenToOthers: ({ path }: OfPath) =>
    `${path} contains a password, and other users may read it. Run \`chmod 600 ${path}\`.`,
} satisfies TextsOf<string>

type Account = OfController & { readonly user: string }

const CORRECT_PATH = "Correct the path in the cloud's settings, or the file."

const CORRECT_OR_LOG_IN = 'Correct it, or move it away and run `juju login` again.'
