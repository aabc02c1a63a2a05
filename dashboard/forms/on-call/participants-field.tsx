import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { Contact } from '../../../src/core/alerting/contact.ts'
import { MAX_PARTICIPANT_CONTACTS, MAX_PARTICIPANTS } from '../../../src/core/on-call/schedule.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { Form } from '../use-form.ts'
import { ContactChoice } from './contact-choice.tsx'
import { RemoveButton } from './remove-button.tsx'
import { type DraftParticipant, freeKey, layersIn, participantsIn } from './schedule-draft.ts'

export type MemberName = { id: number; name: string }

/** The people and groups of a schedule, each with its contacts. */
export function ParticipantsField({
  team,
  form,
  contacts,
  members,
}: {
  team: number
  form: Form
  contacts: Contact[]
  members: MemberName[]
}) {
  const participants = participantsIn(form.draft)
  const give = (next: DraftParticipant[]) => form.set('participants', JSON.stringify(next))

  function add() {
    const key = freeKey(participants)
    if (key === null) return
    give([...participants, { key, name: '', user_id: null, contact_ids: [] }])
    const layers = layersIn(form.draft)
    const [only] = layers
    // In a schedule of one rotation, everyone takes turns.
    if (only && layers.length === 1)
      form.set('layers', JSON.stringify([{ ...only, rotation: [...only.rotation, key] }]))
  }

  function remove(key: number) {
    give(participants.filter((one) => one.key !== key))
    const layers = layersIn(form.draft).map((layer) => ({
      ...layer,
      rotation: layer.rotation.filter((one) => one !== key),
    }))
    form.set('layers', JSON.stringify(layers))
  }

  return (
    <Panel title={t('Participants')}>
      {contacts.length === 0 && (
        <p className="border-b border-line px-4 py-3 text-degraded">
          {t('Your team has no contacts yet, so no one can be alerted.')}{' '}
          <Link to="/teams/$team/contacts/new" params={{ team: String(team) }} className="underline">
            {t('Add a contact')}
          </Link>
        </p>
      )}
      <ul className="divide-y divide-line">
        {participants.map((participant, place) => (
          <li key={participant.key}>
            <Line
              place={place}
              participant={participant}
              isOnly={participants.length === 1}
              {...{ form, contacts, members }}
              onChange={(next) => give(participants.map((one) => (one.key === next.key ? next : one)))}
              onRemove={() => remove(participant.key)}
            />
          </li>
        ))}
      </ul>
      <div className="border-t border-line p-4">
        <Button onClick={add} disabled={participants.length >= MAX_PARTICIPANTS}>
          <Plus aria-hidden size={16} />
          {t('Add participant')}
        </Button>
      </div>
    </Panel>
  )
}

function Line({
  place,
  participant,
  isOnly,
  form,
  contacts,
  members,
  onChange,
  onRemove,
}: {
  place: number
  participant: DraftParticipant
  isOnly: boolean
  form: Form
  contacts: Contact[]
  members: MemberName[]
  onChange: (next: DraftParticipant) => void
  onRemove: () => void
}) {
  const { name, user_id } = participant
  const path = `participants.${place}`
  const called = name || t('Participant {number}', { number: place + 1 })
  return (
    <fieldset className="grid min-w-0 items-start gap-4 p-4 sm:grid-cols-2 xl:grid-cols-[repeat(3,minmax(0,1fr))_auto]">
      <legend className="sr-only">{called}</legend>
      <TextField
        label={t('Name')}
        faults={form.faults(`${path}.name`)}
        value={name}
        onChange={({ target }) => onChange({ ...participant, name: target.value })}
        onBlur={() => form.leave(`${path}.name`)}
        autoComplete="off"
      />
      <SelectField
        label={t('Account')}
        faults={form.faults(`${path}.user_id`)}
        value={user_id ?? ''}
        onChange={({ target }) => {
          const member = members.find(({ id }) => String(id) === target.value)
          onChange({ ...participant, user_id: member?.id ?? null, name: name || (member?.name ?? '') })
        }}
      >
        <option value="">{t('No account')}</option>
        {members.map((member) => (
          <option key={member.id} value={member.id}>
            {member.name}
          </option>
        ))}
      </SelectField>
      <ContactChoice
        chosen={participant.contact_ids}
        max={MAX_PARTICIPANT_CONTACTS}
        offered={contacts}
        field={`${path}.contact_ids`}
        onChange={(contact_ids) => onChange({ ...participant, contact_ids })}
        {...{ contacts, called, form }}
      />
      <RemoveButton name={called} disabled={isOnly} onClick={onRemove} />
    </fieldset>
  )
}
