import "./style.css";
import "./thread";

void import("./begin");
