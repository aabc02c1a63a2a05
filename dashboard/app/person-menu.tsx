import { Link } from '@tanstack/react-router'
import { CircleUser } from 'lucide-react'
import { useDocs } from '../data/account.ts'
import { chooseOwnLanguage } from '../data/device/own-language.ts'
import { useSession } from '../data/session.ts'
import { chosenLanguage, t } from '../language/language.ts'
import { LANGUAGE_OPTIONS, languageOf } from '../language/options.ts'
import { MenuButton, MenuChoice, MenuItem, MenuLine, MenuLink } from '../parts/menu.tsx'
import { THEMES, useTheme } from './theme.ts'
import { useSignOut } from './use-sign-out.ts'

/** The menu of the signed-in person: account, theme, language, sign out. */
export function PersonMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { user } = useSession()
  const docs = useDocs()
  const [theme, setTheme] = useTheme()
  const signOut = useSignOut()

  return (
    <MenuButton
      align="start"
      button={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left hover:bg-sunken"
        >
          <CircleUser aria-hidden size={20} className="text-soft" />
          <span className="min-w-0">
            <span className="block truncate">{user.name}</span>
            <span className="block truncate text-sm text-soft">{user.email}</span>
          </span>
        </button>
      }
    >
      <MenuLink>
        <Link to="/account">{t('Your account')}</Link>
      </MenuLink>
      {user.is_operator && (
        <MenuLink>
          <Link to="/accounts">{t('All accounts')}</Link>
        </MenuLink>
      )}
      {user.is_operator && (
        <MenuLink>
          <Link to="/service-settings">{t('Service settings')}</Link>
        </MenuLink>
      )}
      <MenuLink>
        <a href={docs}>{t('Documentation')}</a>
      </MenuLink>
      <MenuItem onSelect={onShortcuts}>{t('Keyboard shortcuts')}</MenuItem>
      <MenuLine />
      <MenuChoice label={t('Theme')} value={theme} options={THEMES} onChoose={setTheme} />
      <MenuLine />
      <MenuChoice
        label={t('Language')}
        value={chosenLanguage() ?? 'browser'}
        options={LANGUAGE_OPTIONS}
        onChoose={(option) => void chooseOwnLanguage(languageOf(option))}
      />
      <MenuLine />
      <MenuItem onSelect={() => void signOut()}>{t('Sign out')}</MenuItem>
    </MenuButton>
  )
}
