import type { KubeconfigSituation } from '../situations.ts'
import { one, TOKEN } from './config.ts'

const as = (lines: string) => ({ user: `${TOKEN}\n${lines}` })

/** As whom the user acts. */
export const IMPERSONATION: readonly KubeconfigSituation[] = [
  one('as somebody', as('as: jane')),
  one('as somebody with groups', as('as: jane\nas-groups: [ops, admins]')),
  one('as somebody with one group as text', as('as: jane\nas-groups: ops')),
  one('as somebody with an id', as('as: jane\nas-uid: "1000"')),
  one('as somebody with an id that is a number', as('as: jane\nas-uid: 1000')),
  one('as somebody with more', as('as: jane\nas-user-extra:\n  scopes: [view, edit]\n  reason: [work]')),
  one('as somebody with more in other letters', as('as: jane\nas-user-extra:\n  acme.example/Project: [p]')),
  one('as somebody with more that is text', as('as: jane\nas-user-extra:\n  reason: work')),
  one('as groups without somebody', as('as-groups: [ops]')),
  one('as an id without somebody', as('as-uid: "1000"')),
  one('as more without somebody', as('as-user-extra:\n  reason: [work]')),
  one('as nobody', as('as: ""')),
  one('as null', as('as: null')),
  one('as groups that are null', as('as: jane\nas-groups: null')),
  one('as groups that are empty', as('as: jane\nas-groups: []')),
  one('as a service account', as('as: system:serviceaccount:openstack:console')),
  one('as a name that is not ASCII', as('as: jürgen')),
  one('as a name with a line break', as('as: "jane\\n"')),
  one('as a number', as('as: 7')),
  one('as a group that is a number', as('as: jane\nas-groups: [7]')),
  one('as somebody without credentials', { user: 'as: jane' }),
  one('as somebody with a certificate', {
    user: 'client-certificate-data: {{client64}}\nclient-key-data: {{client-key64}}\nas: jane',
  }),
  one('as somebody under a name that other tools use', as('act-as: jane')),
]
