import type { ComponentProps } from 'react'
import { MAX_NAME_LENGTH } from '../../../src/core/text.ts'
import { t } from '../../language/language.ts'
import { TextField } from '../field.tsx'

/** Asks for the current password before a sensitive change. */
export function OwnPasswordField({ faults }: { faults: string[] | undefined }) {
  return (
    <TextField
      label={t('Your password')}
      name="password"
      type="password"
      autoComplete="current-password"
      required
      autoFocus
      faults={faults}
    />
  )
}

/** Asks for a code if the account has an authenticator app. */
export function OwnCodeField({ faults }: { faults: string[] | undefined }) {
  return (
    <TextField
      label={t('Code')}
      name="code"
      autoComplete="one-time-code"
      required
      hint={t('From your authenticator app, or a recovery code.')}
      faults={faults}
    />
  )
}

/** The address with which one signs in. */
export function OwnEmailField(more: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return <TextField label={t('E-mail')} name="email" type="email" autoComplete="username" {...more} />
}

export function OwnNameField({ value, faults }: { value?: string; faults: string[] | undefined }) {
  return (
    <TextField
      label={t('Your name')}
      name="name"
      autoComplete="name"
      required
      autoFocus
      maxLength={MAX_NAME_LENGTH}
      defaultValue={value}
      faults={faults}
    />
  )
}
