import { FormGroup, InputGroup, Radio, RadioGroup, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import type { JujuDraft } from './juju-draft.ts'

interface Props {
  readonly draft: JujuDraft
  readonly onEdit: (change: Partial<JujuDraft>) => void
}

const KINDS = [
  { value: 'none', label: 'No controller' },
  { value: 'client-files', label: "From the Juju client's files" },
  { value: 'typed', label: 'Typed in' },
] as const

/** The Juju controller of a cluster's machines. The settings keep names and paths; the password stays in its file. */
export function JujuFields({ draft, onEdit }: Props): ReactNode {
  return (
    <>
      <RadioGroup
        inline
        className="addc-juju"
        label="Juju controller"
        selectedValue={draft.kind}
        onChange={({ currentTarget: { value } }) => {
          const kind = KINDS.find(known => known.value === value)?.value
          if (kind !== undefined) onEdit({ kind })
        }}
      >
        {KINDS.map(({ value, label }) => (
          <Radio key={value} value={value} label={label} />
        ))}
      </RadioGroup>
      {draft.kind === 'none' ? null : (
        <div className="set-grid">
          {draft.kind === 'client-files' ? (
            <>
              <TextField
                label="Directory of the files"
                help="Full path. The Juju client uses ~/.local/share/juju."
                name="directory"
                draft={draft}
                onEdit={onEdit}
              />
              <TextField
                label="Controller"
                help="As in `juju controllers`."
                name="controller"
                draft={draft}
                onEdit={onEdit}
              />
            </>
          ) : (
            <Typed draft={draft} onEdit={onEdit} />
          )}
          <TextField
            label="Model with the machines"
            help="For example admin/openstack-machines."
            name="model"
            draft={draft}
            onEdit={onEdit}
          />
        </div>
      )}
    </>
  )
}

function Typed({ draft, onEdit }: Props): ReactNode {
  const id = useId()
  return (
    <>
      <TextField
        label="User"
        help="Lockkeeper logs in to the controller as this user."
        name="user"
        draft={draft}
        onEdit={onEdit}
      />
      <TextField
        label="File with the password"
        help="It contains nothing else. Lockkeeper reads it at every start."
        name="passwordFile"
        draft={draft}
        onEdit={onEdit}
      />
      <FormGroup label="Address of the controller" labelFor={`${id}-endpoints`} helperText="host:port, one per line.">
        <TextArea
          id={`${id}-endpoints`}
          className="mono"
          fill
          spellCheck={false}
          value={draft.endpoints}
          onChange={({ currentTarget }) => onEdit({ endpoints: currentTarget.value })}
        />
      </FormGroup>
      <FormGroup
        label="CA certificate"
        labelFor={`${id}-ca`}
        helperText="The ca-cert of `juju show-controller`, in PEM. It is not secret."
      >
        <TextArea
          id={`${id}-ca`}
          className="mono"
          fill
          spellCheck={false}
          value={draft.caCertificate}
          onChange={({ currentTarget }) => onEdit({ caCertificate: currentTarget.value })}
        />
      </FormGroup>
    </>
  )
}

interface TextFieldProps extends Props {
  readonly label: string
  readonly help: string
  readonly name: Exclude<keyof JujuDraft, 'kind'>
}

function TextField({ label, help, name, draft, onEdit }: TextFieldProps): ReactNode {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id} helperText={help}>
      <InputGroup
        id={id}
        className="mono"
        spellCheck={false}
        value={draft[name]}
        onValueChange={text => onEdit({ [name]: text })}
      />
    </FormGroup>
  )
}
