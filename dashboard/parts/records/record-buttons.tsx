import { Link } from '@tanstack/react-router'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../button.tsx'
import type { Place } from './form-screen.tsx'
import { useDeletion } from './record-action.tsx'

type Size = Parameters<typeof buttonLook>[1]

/** Leads to the form that changes what a page is about. */
export function EditLink({ size = 'small', ...to }: Place & { size?: Size }) {
  return (
    <Link {...to} className={buttonLook('plain', size)}>
      {t('Edit')}
    </Link>
  )
}

/** Deletes the record that a page is about. */
export function DeleteButton({
  size = 'small',
  ...deletion
}: Parameters<typeof useDeletion>[0] & { size?: Size }) {
  const { ask, question } = useDeletion(deletion)
  return (
    <>
      <Button size={size} tone="danger" onClick={ask}>
        {t('Delete…')}
      </Button>
      {question}
    </>
  )
}
