import { unit } from '../caught-by.ts'
import type { Catcher, Mutant } from '../mutant.ts'
import { KUBERNETES } from '../places.ts'

/** What a kubeconfig or a clouds.yaml means is what it means to kubectl and to openstacksdk (test/differential). */
export const FILE_READING_MUTANTS: readonly Mutant[] = [
  {
    name: 'an-authority-that-is-named-is-not-checked',
    harm: 'Credentials go to any server that answers, although the file names the authority of the server.',
    changes: [
      {
        file: `${KUBERNETES}/kubeconfig-faults.ts`,
        from: "fields['insecure-skip-tls-verify'] === true ? 'authority-unchecked' : null",
        to: "fields['insecure-skip-tls-verify'] === 'true' ? 'authority-unchecked' : null",
      },
    ],
    caughtBy: asKubectl('insecure beside an authority as data'),
  },
  {
    name: 'groups-of-nobody-are-asked-for',
    harm: "A request is made with the user's own rights, where the file means those of another one.",
    changes: [
      {
        file: `${KUBERNETES}/kubeconfig-faults.ts`,
        from: "  if (hasMore && !has('as')) return 'acts-as-nobody'",
        to: "  if (hasMore && has('as') && !has('as')) return 'acts-as-nobody'",
      },
    ],
    caughtBy: asKubectl('as groups without somebody'),
  },
  {
    name: 'a-name-to-act-as-that-is-a-number-is-passed-over',
    harm: "A request is made with the user's own rights, where the file means those of another one.",
    changes: [
      {
        file: `${KUBERNETES}/kubeconfig-shape.ts`,
        from: "return typeof value === 'string' ? null : { field, wanted: 'text' }",
        to: "return typeof value !== 'object' ? null : { field, wanted: 'text' }",
      },
    ],
    caughtBy: asKubectl('as a number'),
  },
  {
    name: 'a-command-runs-that-is-not-needed',
    harm: 'A program that a kubeconfig names runs although a token of the file decides.',
    changes: [
      {
        file: `${KUBERNETES}/kubeconfig-entries.ts`,
        from: "  if (has('token', 'tokenFile')) return 'token'\n",
        to: "  if (has('token', 'tokenFile') && !fields.exec) return 'token'\n",
      },
    ],
    caughtBy: asKubectl('command beside a token'),
  },
  {
    name: 'an-expired-login-asks-as-nobody',
    harm: 'A login that ended is taken for one without credentials, and its refusal for missing rights.',
    changes: [
      {
        file: `${KUBERNETES}/client-node.ts`,
        from: 'return proof.headers.Authorization === undefined ? over() : ok(proof)',
        to: 'return ok(proof)',
      },
    ],
    caughtBy: asKubectl('provider oidc with an id token that ended'),
  },
  {
    name: 'a-merge-key-reaches-into-the-pod',
    harm: "A user who may write a Secret makes the runner send its pod's token to their server.",
    changes: [
      {
        file: 'main/wings/runner/own-files.ts',
        from: 'readYamlText(text, AS_KUBECTL)',
        to: 'readYamlText(text, { mayBeFirst: true })',
      },
      {
        file: 'main/wings/runner/own-files.ts',
        from: 'import { AS_KUBECTL, readYamlText }',
        to: 'import { readYamlText }',
      },
    ],
    caughtBy: unit(
      'wings/runner/cloud-settings',
      'a Secret that would have the runner read its own pod, or run a command there, is refused by the field a token file that comes by a merge key',
    ),
  },
  {
    name: 'an-encrypted-value-is-the-password',
    harm: 'An encrypted value is sent to Keystone as the password, again and again, until the account is locked.',
    changes: [
      {
        file: 'main/platform/files/yaml-text.ts',
        from: "scalar.tag?.startsWith('!') === true",
        to: "scalar.tag?.startsWith('!!') === true",
      },
    ],
    caughtBy: asSdk('an unknown tag'),
  },
  {
    name: 'a-trust-is-dropped',
    harm: 'A login for the rights of a trust is one for nothing in particular.',
    changes: [
      {
        file: 'main/clusters/cloud-credentials.ts',
        from: '  if (trust === null) return scope\n',
        to: '  if (trust !== undefined) return scope\n',
      },
    ],
    caughtBy: asSdk('trust'),
  },
]

function asKubectl(situation: string): Catcher {
  return {
    kind: 'test',
    file: 'test/differential/kubectl.test.ts',
    title: `as kubectl: who is asked, and with what ${situation}`,
  }
}

function asSdk(situation: string): Catcher {
  return {
    kind: 'test',
    file: 'test/differential/openstacksdk.test.ts',
    title: `as openstacksdk: who logs in, and which addresses are used ${situation}`,
  }
}
