import { useDocs } from '../../data/account.ts'
import { chooseOwnLanguage } from '../../data/device/own-language.ts'
import { useSession } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { LANGUAGE_OPTIONS, languageOf } from '../../language/options.ts'
import { THEMES, useTheme } from '../theme.ts'
import { useSignOut } from '../use-sign-out.ts'
import type { Item } from './item.ts'

/** The actions of a person on their own browser and account, and of an operator on the service. */
export function useOwnDeeds(): Item[] {
  const [, setTheme] = useTheme()
  const signOut = useSignOut()
  const docs = useDocs()
  const { user } = useSession()
  const ofOperators: Item[] = [
    { value: 'service-settings', label: t('Service settings'), href: '/service-settings' },
    { value: 'accounts', label: t('All accounts'), href: '/accounts' },
  ]
  return [
    ...(user.is_operator ? ofOperators : []),
    ...THEMES.map(({ value, label }) => ({
      value: `theme ${value}`,
      label: t('Theme: {name}', { name: label }),
      act: () => setTheme(value),
    })),
    ...LANGUAGE_OPTIONS.map(({ value, label }) => ({
      value: `language ${value}`,
      label: t('Language: {name}', { name: label }),
      act: () => void chooseOwnLanguage(languageOf(value)),
    })),
    { value: 'docs', label: t('Documentation'), act: () => location.assign(docs) },
    { value: 'sign-out', label: t('Sign out'), act: () => void signOut() },
  ]
}

/** Leads on to the search of the documentation. */
export function useDocsSearch(typed: string): Item {
  const address = useDocs(`/search?q=${encodeURIComponent(typed)}`)
  return {
    value: 'docs-search',
    label: t('Search the documentation for “{typed}”', { typed }),
    act: () => location.assign(address),
  }
}
