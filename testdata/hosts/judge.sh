# The judge of support.eval.yaml, as `rubric run --judge 'cli:sh judge.sh'` asks it.
case $(cat) in
*'Names the 30 days'*)
  echo '{"checks":[{"id":"window","satisfied":true,"reasoning":"It names 30 days."},{"id":"tone","satisfied":true,"reasoning":"It is."}],"overall_reasoning":"A good answer."}' ;;
*'Offers a return label'*)
  echo '{"checks":[{"id":"label","satisfied":false,"reasoning":"There is none."},{"id":"depth","score":6,"reasoning":"Short: “By post.”"}],"overall_reasoning":"Incomplete."}' ;;
*'closing hour'*)
  echo '{"checks":[{"id":"opens","satisfied":true,"reasoning":"At nine."},{"id":"closes","satisfied":false,"reasoning":"It does not."}],"overall_reasoning":"Half."}' ;;
*)
  echo 'I cannot say.' ;;
esac
