# Types what it is given in a zsh on a terminal of its own, a line at a time: what is typed ahead, the line editor takes for text.
zmodload zsh/zpty
: >~/got
zpty -b shell zsh -f -i
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d ~/dump; setopt nobeep"
zpty -w shell '_all() { _main_complete; compstate[insert]=all compstate[list]= }; zle -C all complete-word _all; bindkey "^E" all'
zpty -w shell $2
for (( line = 1; line <= $# - 2; line++ )); do
    zpty -w shell "${(g::)argv[line + 2]}"
    for (( i = 0; i < 200 && $(wc -l <~/got) < line; i++ )); do
        while zpty -r -t shell shown; do print -rn -- $shown; done
        sleep 0.05
    done
done
zpty -d shell
