a && | b; if c; done } ) fi "d $( ` ${ [[ e
<<F $((1 + case for in
