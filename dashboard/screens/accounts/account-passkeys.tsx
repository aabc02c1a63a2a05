import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../../../src/core/accounts/signed-in.ts'
import { askAccount, passkeysQuestion } from '../../data/account.ts'
import { fieldsOf } from '../../data/form.ts'
import { addPasskey, canUsePasskeys } from '../../data/passkeys.ts'
import { faultsOf } from '../../data/problem.ts'
import { useSession } from '../../data/session.ts'
import { sayUserAgent } from '../../data/user-agent.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { OwnCodeField, OwnPasswordField } from '../../parts/accounts/own-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'
import { Section, Waiting } from '../../parts/panel.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { Time } from '../../parts/time.tsx'

/** Passkeys, which sign in without password and code. */
export function AccountPasskeys() {
  const { data: passkeys, error } = useQuery(passkeysQuestion)
  const [isAdding, setAdding] = useState(false)
  return (
    <Section
      title={t('Passkeys')}
      about={
        canUsePasskeys()
          ? t('A passkey signs you in with your fingerprint, face or device PIN, and cannot be phished.')
          : t(
              'A passkey signs you in with your fingerprint, face or device PIN, and cannot be phished. Not available in this browser: passkeys need https.',
            )
      }
      actions={
        canUsePasskeys() && (
          <Button size="small" onClick={() => setAdding(true)}>
            {t('Add a passkey')}
          </Button>
        )
      }
    >
      {error ? (
        <div className="p-4">
          <Refused error={error} />
        </div>
      ) : !passkeys ? (
        <Waiting lines={1} />
      ) : passkeys.length === 0 ? (
        <p className="p-4 text-soft">{t('No passkeys yet.')}</p>
      ) : (
        <Rows label={t('Passkeys')}>
          {passkeys.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} />
          ))}
        </Rows>
      )}
      <Dialog title={t('Add a passkey')} open={isAdding} onClose={() => setAdding(false)}>
        <AddForm onDone={() => setAdding(false)} />
      </Dialog>
    </Section>
  )
}

function AddForm({ onDone }: { onDone: () => void }) {
  const { user } = useSession()
  const queries = useQueryClient()
  const say = useNotices()
  const add = useMutation({
    mutationFn: ({ name = '', password = '', code }: Record<string, string>) =>
      addPasskey(name, { password, code: code ?? null }),
    onSuccess: async (_, { name }) => {
      await queries.invalidateQueries(passkeysQuestion)
      say.done(t('Passkey {name} added.', { name }))
      onDone()
    },
  })
  const faults = faultsOf(add.error)
  return (
    <form onSubmit={(event) => add.mutate(fieldsOf(event))} className="flex flex-col gap-4">
      <TextField
        label={t('Name')}
        name="name"
        required
        maxLength={255}
        defaultValue={sayUserAgent(navigator.userAgent)}
        hint={t('Helps you recognize it, for example by where you keep it.')}
        faults={faults.name}
      />
      <input hidden type="text" name="username" autoComplete="username" value={user.email} readOnly />
      <OwnPasswordField faults={faults.password} />
      {user.uses_totp && <OwnCodeField faults={faults.code} />}
      <Refused error={add.error} shown={['name', 'password', 'code']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{t('Cancel')}</Button>
        <Button type="submit" tone="main" busy={add.isPending}>
          {t('Continue')}
        </Button>
      </div>
    </form>
  )
}

function PasskeyLine({ passkey }: { passkey: Passkey }) {
  const queries = useQueryClient()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const removal = useMutation({
    mutationFn: () => askAccount('removePasskey', { id: passkey.id }),
    onSuccess: () => say.done(t('Passkey {name} removed.', { name: passkey.name })),
    onError: say.problem,
    onSettled: async () => {
      await queries.invalidateQueries(passkeysQuestion)
      setAsking(false)
    },
  })
  return (
    <Row
      title={passkey.name}
      actions={
        <Button size="small" tone="danger" onClick={() => setAsking(true)}>
          {rich('Remove<hidden> {name}</hidden>', { name: passkey.name, hidden })}
        </Button>
      }
    >
      {rich('Added {time}', { time: <Time at={passkey.created_at} /> })} ·{' '}
      {passkey.last_used_at
        ? rich('last used {time}', { time: <Time at={passkey.last_used_at} /> })
        : t('never used')}
      <Confirm
        title={t('Remove {name}?', { name: passkey.name })}
        verb={t('Remove')}
        open={isAsking}
        busy={removal.isPending}
        onConfirm={() => removal.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('You can no longer sign in with it. Remove it from the device too: it stays there until you do.')}
      </Confirm>
    </Row>
  )
}
