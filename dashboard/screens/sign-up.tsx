import { PageHead } from '../parts/panel.tsx'

export default function SignUp() {
  return <PageHead title="Sign up" />
}
