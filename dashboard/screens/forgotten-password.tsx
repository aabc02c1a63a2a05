import { PageHead } from '../parts/panel.tsx'

export default function ForgottenPassword() {
  return <PageHead title="Forgotten password" />
}
