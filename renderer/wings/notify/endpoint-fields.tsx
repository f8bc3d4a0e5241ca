import { FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import type { SignalEndpoint } from '../../../shared/domain/signals.ts'

/** The access to a system, as typed. Main never returns the secret: an empty field keeps it. */
interface EndpointDraft {
  readonly url: string
  readonly login: SignalEndpoint['login']['kind']
  readonly user: string
  readonly secret: string
  readonly caFile: string
}

export function endpointDraft(endpoint: SignalEndpoint | null): EndpointDraft {
  const login = endpoint?.login ?? { kind: 'none' as const }
  return {
    url: endpoint?.url ?? '',
    login: login.kind,
    user: login.kind === 'basic' ? login.user : '',
    secret: '',
    caFile: endpoint?.caFile ?? '',
  }
}

/** The setting of a draft, for main. */
export function endpointOf({ url, login, user, secret, caFile }: EndpointDraft): {
  readonly endpoint: SignalEndpoint
  readonly secret: string | null
} {
  return {
    endpoint: {
      url: url.trim(),
      login: login === 'basic' ? { kind: 'basic', user } : { kind: login },
      caFile: caFile.trim() === '' ? null : caFile.trim(),
    },
    secret: login === 'none' || secret === '' ? null : secret,
  }
}

const LOGINS = [
  { value: 'none', label: 'no login' },
  { value: 'bearer', label: 'a bearer token' },
  { value: 'basic', label: 'user and password' },
] as const

interface Props {
  readonly draft: EndpointDraft
  readonly onEdit: (more: Partial<EndpointDraft>) => void
}

/** The fields of a system beside the cloud. */
export function EndpointFields({ draft, onEdit }: Props): ReactNode {
  const id = useId()
  return (
    <div className="set-grid">
      <FormGroup label="Address" labelFor={`${id}-url`} helperText="https, with its path.">
        <InputGroup id={`${id}-url`} value={draft.url} spellCheck={false} onValueChange={url => onEdit({ url })} />
      </FormGroup>
      <FormGroup label="Login" labelFor={`${id}-login`}>
        <HTMLSelect
          id={`${id}-login`}
          fill
          value={draft.login}
          options={LOGINS.map(each => ({ ...each }))}
          onChange={({ currentTarget }) => {
            const login = LOGINS.find(({ value }) => value === currentTarget.value)
            if (login !== undefined) onEdit({ login: login.value })
          }}
        />
      </FormGroup>
      {draft.login === 'basic' ? (
        <FormGroup label="User" labelFor={`${id}-user`}>
          <InputGroup
            id={`${id}-user`}
            value={draft.user}
            spellCheck={false}
            onValueChange={user => onEdit({ user })}
          />
        </FormGroup>
      ) : null}
      {draft.login === 'none' ? null : (
        <FormGroup
          label={draft.login === 'basic' ? 'Password' : 'Token'}
          labelFor={`${id}-secret`}
          helperText="Never shown again. Leave it empty to keep it."
        >
          <InputGroup
            id={`${id}-secret`}
            type="password"
            value={draft.secret}
            autoComplete="off"
            onValueChange={secret => onEdit({ secret })}
          />
        </FormGroup>
      )}
      <FormGroup
        label="CA file"
        labelFor={`${id}-ca`}
        helperText="Absolute path. If empty, this computer's trusted authorities apply."
      >
        <InputGroup
          id={`${id}-ca`}
          value={draft.caFile}
          spellCheck={false}
          onValueChange={caFile => onEdit({ caFile })}
        />
      </FormGroup>
    </div>
  )
}
