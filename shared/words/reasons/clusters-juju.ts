import type { Cause, TextsOf } from '../steps/coded.ts'

/** One file of the Juju client. */
type OfPath = { readonly path: string }

/** A controller in a file of the Juju client. */
type OfController = OfPath & { readonly controller: string }

/** Texts of how a Juju controller is reached: the client's files, or what was typed in. */
export const CLUSTERS_JUJU_REASONS = {
  JujuAccountMissing: ({ path, controller }: OfController) =>
    `${path} has no account for controller ${controller}. Run \`juju login -c ${controller}\`.`,
  JujuAuthorityNotPem: ({ controller }: Pick<OfController, 'controller'>) =>
    `The authority of Juju controller ${controller} in the cluster's settings is not a PEM certificate. Paste the \`ca-cert\` that \`juju show-controller\` prints.`,
  JujuControllerLacks: ({ path, controller, key }: OfController & { readonly key: string }) =>
    `${path} has no ${key} for controller ${controller}. Run \`juju login -c ${controller}\`, which writes it, or correct the file.`,
  JujuControllerUnknown: ({ path, controller, known }: OfController & { readonly known: readonly string[] }) =>
    `${path} knows no controller ${controller}${known.length === 0 ? '' : `, only ${known.join(', ')}`}. Correct the name in the cluster's settings, or run \`juju login\`.`,
  JujuFileAbsent: ({ path, elsewhere }: OfPath & { readonly elsewhere: readonly string[] }) =>
    `Cannot read ${path} of Juju: it does not exist.${elsewhere.length === 0 ? '' : ` The Juju client's files are in ${elsewhere.join(' and ')}.`} ${CORRECT_PATH}`,
  JujuFileNotRead: ({ path, cause }: OfPath & Cause) => `Cannot read ${path} of Juju: ${cause}. ${CORRECT_PATH}`,
  JujuFileNotYaml: ({ path }: OfPath) => `${path} is not YAML. ${CORRECT_OR_LOG_IN}`,
  JujuFileStrange: ({ path, at }: OfPath & { readonly at: string }) =>
    `${path} is not as the Juju client writes it${at === '' ? '' : ` (at ${at})`}. ${CORRECT_OR_LOG_IN}`,
  JujuFileUnusable: ({ path, cause }: OfPath & Cause) => `${path} cannot be used: ${cause}. ${CORRECT_OR_LOG_IN}`,
  JujuPasswordFileStrange: ({ path, controller, user, lines }: Account & { readonly lines: number }) =>
    `${path} must hold the password of ${user} on Juju controller ${controller} and nothing else; it ${lines === 0 ? 'is empty' : 'has several lines'}. Correct it there.`,
  JujuPasswordMissing: ({ path, controller, user }: Account) =>
    `${path} has no password for ${user} on ${controller}: it was logged in without one being kept. Put the password into a file of its own and give the controller by address in the cluster's settings.`,
  PasswordFileOpenToOthers: ({ path }: OfPath) =>
    `${path} holds a password and others may read it. Run \`chmod 600 ${path}\`.`,
} satisfies TextsOf<string>

type Account = OfController & { readonly user: string }

const CORRECT_PATH = "Correct the path in the cluster's settings, or the file."

const CORRECT_OR_LOG_IN = 'Correct it, or move it away and run `juju login` again.'
