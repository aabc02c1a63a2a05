import { SettingsFrame } from '../../app/settings-frame.tsx'
import { useTeam } from '../../data/session.ts'
import { Confirmation } from './settings-confirmation.tsx'
import { TeamLanguage } from './settings-language.tsx'
import { LeaveTeam } from './settings-leave.tsx'
import { TeamName } from './settings-name.tsx'
import { SigningSecret } from './settings-signing-secret.tsx'
import { Usage } from './settings-usage.tsx'

export default function Settings() {
  const { may } = useTeam()
  return (
    <SettingsFrame>
      {may('manage') && <TeamName />}
      <Usage />
      <Confirmation />
      <TeamLanguage />
      {may('write') && <SigningSecret />}
      <LeaveTeam />
    </SettingsFrame>
  )
}
